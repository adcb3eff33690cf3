/**
 * Every number that core decisions depend on, with the observation that fixed it and what breaks
 * when it changes. Milliseconds unless the name says otherwise. Other files have no bare numbers.
 */

/**
 * SPEC M2. claude-state waited 2 min and its author dropped the rule, because long tools looked
 * stuck; here no tool may be running. Smaller: long thinking without output looks stuck. Larger: a
 * hung client stays "working" longer.
 */
export const SILENCE_MAX_MS = 120_000

/** SPEC M3. notify-tmux.md keeps a finished turn fresh for 30 min: 1800 s is fresh, 1801 s not. */
export const FRESH_MAX_MS = 1_800_000

/**
 * SPEC M4. Without a process to check, a verdict holds for at most half an hour of silence: the
 * same half hour after which a finished turn is no longer news.
 */
export const EVIDENCE_MAX_MS = 1_800_000

/** SPEC M5. plate-spinner.md looks every 10 s. */
export const LOOK_MS = 10_000

/**
 * SPEC M5. plate-spinner.md: evidence this much newer than the stored state means that an event was
 * missed. Smaller: blocks of one streaming message, written up to a second apart, look like
 * progress.
 */
export const STALE_MS = 2_000

/** SPEC M5. How long a contradicted self-report of the client counts: look + staleness. */
export const RECOVERY_MAX_MS = LOOK_MS + STALE_MS

/**
 * SPEC R11. A client can be used 0.4 to 1.1 s after its start. Smaller: it is shown as idle before.
 * Larger: where only its server tells of it, it is shown as starting when it is idle.
 */
export const READY_MAX_MS = 1_000

/**
 * SPEC T6. A hook's time is when its file was written: 18 ms after the event in the median of 136
 * recorded prompts, 99 ms at most; the client's own report of the event took up to 0.3 s (err400).
 * Four times the maximum to be safe. Smaller: a tool started just before Esc reopens the turn.
 * Larger: a blocked Stop shows idle for longer.
 */
export const HOOK_LAG_MS = 400

/**
 * SPEC W7, T8. The screen is read five times a second and drawn some frames after the event: a
 * spinner was seen up to 0.2 s after a turn's last output, and a dialog at most 0.31 s after its
 * hook. Twice that to be safe. Smaller: a finished turn flickers, and a dialog closes before it is
 * drawn.
 */
export const SCREEN_LAG_MS = 600

/**
 * SPEC X14. A title is drawn up to 0.5 s after what it tells (measured: 211 ms after a prompt, 482
 * ms after a request, in the median). Its time is the earliest that it can be about. Smaller: a
 * title that is about to change closes a request that has just been opened.
 */
export const TITLE_LAG_MS = 600

/**
 * SPEC W8. The client redraws its status line 0.3 s after its content has changed, and not at all
 * under a dialog: in 36 recorded dialogs the last redraw came at most 0.32 s after the opening, the
 * next within 12 ms of the answer. Smaller: the dialog's own redraw would close it.
 */
export const STATUSLINE_LAG_MS = 1_000

/**
 * SPEC T9. How long a bare prompt must be visible before it ends a turn whose spinner was seen. No
 * busy screen showed it bare, except while text streams in, which is recognised; five readings in a
 * row (1 s) are no coincidence. Larger: an interrupted session looks busy for longer.
 */
export const BARE_PROMPT_MS = 1_000

/** SPEC A4. Two readings of a changing input line further apart are two pieces of typing. */
export const TYPING_MS = 3_000

/**
 * SPEC A5. A state that lasts only a moment (a dialog that another hook answers at once) must not
 * notify. The shortest dialog answered in the recordings lasted 1.6 s.
 */
export const NOTIFY_SETTLE_MS = 500

/**
 * SPEC NO4, TM28. A user who pressed a key within this time counts as present: a terminal without
 * focus events always reports focus. Shorter: a user who reads a long answer is notified of it.
 */
export const PRESENT_MS = 60_000

/**
 * SPEC L4. A process that starts in a folder this soon after a session there ended counts as that
 * session resumed, until a source names it. Larger: a new session is shown under the old name.
 */
export const RESUME_GUESS_MS = 60_000

/**
 * SPEC F1. Facts are bounded: entries stored per kind. The busiest recorded run used 12 tools in a
 * turn and 2 subagents at once; beyond the limit the oldest finished entry goes first.
 */
export const TOOLS_MAX = 64
/** How many of those may have ended: a transcript reports an end up to 0.3 s after the hook. */
export const TOOLS_ENDED_MAX = 16
export const REQUESTS_MAX = 16
export const TASKS_MAX = 64

/** SPEC F1. Texts in facts are for people to read; no verdict depends on them. */
export const TEXT_MAX_CHARS = 200

/** SPEC F1. The longest path that Linux accepts; a longer one names no file. */
export const PATH_MAX_CHARS = 4_096

/** SPEC F1. Beyond this many sessions, those closed longest ago are forgotten. */
export const SESSIONS_MAX = 20_000

/**
 * SPEC LI4. How many sessions to forget are selected in one pass over all sessions. One pass for
 * each new session made the time for 50,000 sessions grow with the square of their number.
 */
export const FORGET_BATCH = 200

/** SPEC LI4. Guesses by folder consider its newest sessions; users run far fewer in one. */
export const FOLDER_SESSIONS_MAX = 256

/**
 * SPEC F1. Signals stored for a process whose session has no name yet: one of each kind is enough
 * to judge by, and there are fewer kinds than this.
 */
export const UNNAMED_SIGNALS_MAX = 32

/**
 * SPEC A7. Larger: you find an answer that took minutes by chance. Smaller: you are notified of
 * answers that you watched arrive; most talk-only answers take seconds.
 */
export const LONG_TALK_MS = 60_000

/**
 * SPEC VW30. A tool may run for any length of time; one far beyond its own past is worth a notice.
 * Below ten minutes users wait; ten times is more than a cold cache explains.
 */
export const LONG_TOOL_MS = 600_000
export const LONG_TOOL_TIMES = 10

/**
 * SPEC LP87. A running loop prompts a session after 2 s of idling, or says that it needs its user.
 * Smaller: you are notified between an inner and its outer loop. Larger: a session that its loop
 * does not continue waits that much longer for you.
 */
export const LOOP_GOES_ON_MS = 5_000

/**
 * SPEC LP4. idle-stop-hook.md: a loop without a step for two hours is one whose agent crashed or
 * was forgotten; it compares with `>`: 7200 s exactly is still fresh. Smaller: one long turn ends
 * its own loop. Larger: a zombie wakes up when its user returns to the session.
 */
export const LOOP_STALE_MS = 7_200_000

/** SPEC LP6. The defaults of idle's commands: `/loop`, and `/grind`. */
export const LOOP_MAX_DEFAULT = 10
export const GRIND_MAX_DEFAULT = 100

/** SPEC LP19. Iterations for one item of a grind: as many as idle's `/issue` had. */
export const ISSUE_MAX = 10

/**
 * SPEC LP6. No loop continues longer, whatever its state says: at a minute per iteration it is most
 * of a day. The client's own cap on blocks is raised to this too.
 */
export const LOOP_MAX = 1_000

/** SPEC LP64. About ten pages. A longer text belongs in a file that the prompt names. */
export const PROMPT_MAX_CHARS = 20_000

/** SPEC LP23. Grind over issue over loop is three. A stack that grows beyond this is a mistake. */
export const STACK_MAX = 16

/**
 * SPEC LP15. The same message, or the same failing command, at the end of this many turns in a row.
 * Twice is common and means nothing: a flaky tool, a test run again to be sure. Larger: an agent
 * that has given up is asked again until its iterations are used up.
 */
export const PATIENCE_TURNS = 3

/**
 * SPEC LP15. How many turns without a changed file are accepted, for each turn of patience:
 * reading, planning and long runs change none, so this alone says little.
 */
export const UNCHANGED_TURNS_EACH = 4

/**
 * SPEC LP22. Waits after an API error: an overload passes within a minute, a rate limit within
 * minutes. After about 70 minutes in all the error is not temporary. Each wait is far below
 * LOOP_STALE_MS, so that a parked loop does not go stale.
 */
export const PARK_WAITS_MS = [
  30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 1_800_000,
] as const

/**
 * SPEC LP28. A hundred loops with turns of 20 s block 300 times a minute, and no machine runs so
 * many agents. More is a fault: clients that stop without having worked.
 */
export const BREAKER_BLOCKS_PER_MINUTE = 300
export const BREAKER_MINUTE_MS = 60_000

/** SPEC LP28. One error is an accident; five within minutes have a cause that persists. */
export const BREAKER_ERRORS = 5
export const BREAKER_WINDOW_MS = 300_000

/**
 * SPEC LP12. A test suite may take minutes. The client waits for its Stop hook for as long as vigil
 * sets (630 s), and meanwhile the session seems to hang.
 */
export const CHECK_MAX_MS = 600_000

/**
 * SPEC LP19. A list from GitHub takes a second, a worktree of a large repository tens of seconds;
 * beyond that a program is waiting for a password.
 */
export const NEXT_MAX_MS = 120_000

/**
 * SPEC LP12. How much of the end of a failed check's output the agent reads: failures are there.
 */
export const CHECK_OUTPUT_MAX_CHARS = 4_000

/**
 * SPEC LP18. How much of an item's own text the agent gets: it can look up the rest. Newer clients
 * move a hook's output beyond 10,000 characters into a file; together with the output of a check it
 * stays below.
 */
export const ITEM_TEXT_MAX_CHARS = 4_000

/**
 * SPEC LP10. How much of a message the Markdown parser reads. It parses about 200 characters a
 * millisecond, and for endless lists its time grows with the square: 16 K took 0.26 s, 64 K took 6
 * s. The daemon does nothing else meanwhile.
 */
export const SIGNAL_READ_MAX_CHARS = 16_384
/** SPEC LP10. How much of that follows the signal: where a comment or a code span may close. */
export const SIGNAL_BEHIND_MAX_CHARS = 4_096
/** SPEC LP10. Nested quotes and lists on one line: 16 K of `>` took 0.6 s, 32 K 7 s. */
export const SIGNAL_NESTING_MAX = 8

/** SPEC LP27. How many of a loop's last iterations are worth room in a compacted context. */
export const ANCHOR_TURNS_MAX = 6
export const ANCHOR_SAID_MAX_CHARS = 300
export const ANCHOR_GOAL_MAX_CHARS = 2_000
