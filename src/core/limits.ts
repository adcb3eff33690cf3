/**
 * Every number the core decides by, with the observation that fixed it and what breaks when it
 * moves. Milliseconds unless the name says otherwise. Nothing else in `core/` holds a bare
 * number.
 */

/**
 * SPEC M2. claude-state waited 2 min and its author dropped the rule, because long tools looked
 * stuck; here no tool may be running. Smaller: long thinking without output looks stuck. Larger: a
 * hung client stays "working".
 */
export const SILENCE_MAX_MS = 120_000

/**
 * SPEC M3. notify-tmux.md keeps a finished turn fresh for 30 min and compares with `>`: 1800 s
 * exactly is still fresh, 1801 s is not.
 */
export const FRESH_MAX_MS = 1_800_000

/**
 * SPEC M4. Without a process to ask, half an hour of silence is as much as a verdict may rest on:
 * the same half hour after which a finished turn is no longer news.
 */
export const EVIDENCE_MAX_MS = 1_800_000

/** SPEC M5. plate-spinner.md looks every 10 s. */
export const LOOK_MS = 10_000

/**
 * SPEC M5. plate-spinner.md: evidence this much newer than what we hold means we missed
 * something. Smaller: blocks of one streaming message, written up to a second apart, look like
 * progress.
 */
export const STALE_MS = 2_000

/**
 * SPEC M5. A contradicted word of the client is believed no longer than this: look + staleness.
 */
export const RECOVERY_MAX_MS = LOOK_MS + STALE_MS

/**
 * SPEC T6. A hook's time is when its file was written: 18 ms after the event in the median of 136
 * prompts recorded, 99 ms at the most, and the client's own word of it up to 0.3 s (err400); four
 * times the most to be safe. Smaller: a tool started just before Esc revives the turn. Larger: a
 * blocked Stop shows idle for longer.
 */
export const HOOK_LAG_MS = 400

/**
 * SPEC W7, T8. The screen is looked at five times a second and drawn some frames after the fact:
 * a spinner was seen up to 0.2 s after a turn's last word, and a dialog first 0.31 s after its
 * hook at the latest; twice that to be safe. Smaller: a finished turn flickers, a dialog closes
 * before it is drawn.
 */
export const SCREEN_LAG_MS = 600

/**
 * SPEC W8. The client redraws its status line 0.3 s after what it shows has changed, and not at
 * all under a dialog: in 36 dialogs recorded the last redraw came 0.32 s after the opening at the
 * latest, the next within 12 ms of the answer. Smaller: the dialog's own redraw would close it.
 */
export const STATUSLINE_LAG_MS = 1_000

/**
 * SPEC T9. How long a bare prompt must have stood before it ends a turn whose spinner was seen.
 * No look at a busy client found the prompt bare, but for text that streams in, which is read as
 * such; five looks in a row (1 s) are no accident. Larger: an interrupted session looks busy for
 * longer.
 */
export const BARE_PROMPT_MS = 1_000

/**
 * SPEC A4. Two looks at a changing input line further apart than this are two pieces of typing.
 */
export const TYPING_MS = 3_000

/**
 * SPEC A5. Agents that flicker through a state (a dialog another hook answers at once) must not
 * ring. The shortest dialog answered in the recordings stood 1.6 s.
 */
export const NOTIFY_SETTLE_MS = 500

/**
 * SPEC NO4, TM28. Who pressed a key this long ago still sits there. A terminal without focus events
 * calls itself focused always: without this, all that ends in a pane one left open would count as
 * seen. Shorter: who reads a long answer is told of what he has before his eyes.
 */
export const PRESENT_MS = 60_000

/**
 * SPEC L4. A process that starts in a folder this soon after a session there ended is taken for
 * that session resumed, until something names it: leaving and continuing takes seconds (resume).
 * Larger: a new session in the folder is shown under the old one's name before its first prompt.
 */
export const RESUME_GUESS_MS = 60_000

/**
 * SPEC F1. Facts stay bounded: entries kept per kind. The busiest run recorded used 12 tools in a
 * turn and 2 subagents at once; beyond the limit the oldest finished entry goes first.
 */
export const TOOLS_MAX = 64
/**
 * Of those, how many that have ended: a transcript tells an end up to 0.3 s after the hook did.
 */
export const TOOLS_ENDED_MAX = 16
export const REQUESTS_MAX = 16
export const TASKS_MAX = 64

/** SPEC F1. Texts kept in facts are for people to read; a verdict needs none of them. */
export const TEXT_MAX_CHARS = 200

/** SPEC F1. The longest path Linux takes; a longer one names no file. */
export const PATH_MAX_CHARS = 4_096

/** SPEC F1. Sessions closed longest ago are forgotten beyond this many. */
export const SESSIONS_MAX = 20_000

/**
 * SPEC LI4. So many are looked for at once: it takes a look at all sessions, and one look for each
 * new session made the time for 50,000 of them grow with the square of their number.
 */
export const LEAST_MISSED_AT_ONCE = 200

/** SPEC LI4. Guesses by folder look at its newest; nobody runs so many agents in one. */
export const FOLDER_SESSIONS_MAX = 256

/**
 * SPEC F1. Signals kept for a process whose session has no name yet: one of each kind is enough
 * to judge by, and there are fewer kinds than this.
 */
export const UNNAMED_SIGNALS_MAX = 32

/**
 * SPEC A7. Larger: an answer that took minutes is found by chance. Smaller: you are notified of
 * answers that you watched come in; most answers of talk take seconds.
 */
export const LONG_TALK_MS = 60_000

/**
 * SPEC VW30. A tool may run for as long as it likes; what is far beyond its own past is worth a
 * word. Below ten minutes it can be waited for; ten times is more than a cold cache explains.
 */
export const LONG_TOOL_MS = 600_000
export const LONG_TOOL_TIMES = 10

/**
 * SPEC LP87. A running loop prompts a session that stands idle for 2 s, or says that it needs
 * its user. Smaller: you are notified between an inner and its outer loop.
 * Larger: a session that a loop left standing waits as much longer for you.
 */
export const LOOP_GOES_ON_MS = 5_000

/**
 * SPEC LP4. idle-stop-hook.md: a loop nobody stepped for two hours is one whose agent crashed or
 * was forgotten, and compares with `>`: 7200 s exactly is still fresh. Smaller: one long turn ends
 * its own loop. Larger: a zombie wakes when its user comes back to the session.
 */
export const LOOP_STALE_MS = 7_200_000

/** SPEC LP6. What idle's commands gave when nobody said how often: `/loop`, and `/grind`. */
export const LOOP_MAX_DEFAULT = 10
export const GRIND_MAX_DEFAULT = 100

/** SPEC LP19. Iterations for one item of a grind: as many as idle's `/issue` had. */
export const ISSUE_MAX = 10

/**
 * SPEC LP6. No loop goes on longer, whatever its state says: at a minute an iteration it is the
 * better part of a day. It is also what the client's own cap on blocks is raised to.
 */
export const LOOP_MAX = 1_000

/** SPEC LP64. Some ten pages. What is longer belongs in a file that the prompt names. */
export const PROMPT_MAX_CHARS = 20_000

/** SPEC LP23. Grind over issue over loop is three. A stack that grows beyond this is a mistake. */
export const STACK_MAX = 16

/**
 * SPEC LP15. The same words, or the same command failing, at the end of so many turns in a row.
 * Twice is common and means nothing: a tool that flickers, a test run again to be sure. Larger:
 * an agent that has given up is asked again until its iterations are used up.
 */
export const PATIENCE_TURNS = 3

/**
 * SPEC LP15. Turns without a changed file that are borne, for each turn of patience: reading,
 * planning and long runs change none, so this alone says little.
 */
export const UNCHANGED_TURNS_EACH = 4

/**
 * SPEC LP22. Waits after an error of the API: an overload passes within a minute, a rate limit
 * within minutes. In all some 70 minutes, then it is no passing trouble. Each is far below
 * LOOP_STALE_MS, so that a loop waiting for its turn does not go stale.
 */
export const PARK_WAITS_MS = [
  30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 1_800_000,
] as const

/**
 * SPEC LP28. A hundred loops that each do a turn in 20 s block 300 times a minute, and no machine
 * runs so many agents. More is a fault: clients that stop without having worked.
 */
export const BREAKER_BLOCKS_PER_MINUTE = 300
export const BREAKER_MINUTE_MS = 60_000

/** SPEC LP28. One error is an accident, five within minutes have a cause that has not gone. */
export const BREAKER_ERRORS = 5
export const BREAKER_WINDOW_MS = 300_000

/**
 * SPEC LP12. A test suite may take minutes. The client waits for its Stop hook for as long as we
 * say (630 s), and its user looks at a session that seems to hang.
 */
export const CHECK_MAX_MS = 600_000

/**
 * SPEC LP19. A list from GitHub takes a second, a worktree of a large repository tens of them;
 * beyond that something waits for a password.
 */
export const NEXT_MAX_MS = 120_000

/** SPEC LP12. Of a failed check the end is told: that is where test runners say what failed. */
export const CHECK_OUTPUT_MAX_CHARS = 4_000

/**
 * SPEC LP18. An item's own text, of which the agent is told the beginning: it can look up the
 * rest. Newer clients put a hook's output beyond 10,000 characters into a file; with the output of
 * a check it stays below.
 */
export const ITEM_TEXT_MAX_CHARS = 4_000

/**
 * SPEC LP10. How much of a message the Markdown parser is given. It reads some 200 characters a
 * millisecond, and lists without end take it time that grows with the square: 16 K took 0.26 s,
 * 64 K took 6 s. The daemon does nothing else meanwhile.
 */
export const SIGNAL_READ_MAX_CHARS = 16_384
/** SPEC LP10. Of that, how much behind the signal: where a comment or a code span may close. */
export const SIGNAL_BEHIND_MAX_CHARS = 4_096
/** SPEC LP10. Quotes and lists within each other on one line: 16 K of `>` took 0.6 s, 32 K 7 s. */
export const SIGNAL_NESTING_MAX = 8

/** SPEC LP27. Of a loop's iterations the last ones are worth a compacted context's room. */
export const ANCHOR_TURNS_MAX = 6
export const ANCHOR_SAID_MAX_CHARS = 300
export const ANCHOR_GOAL_MAX_CHARS = 2_000
