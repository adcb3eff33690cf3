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
export const NOTIFY_SETTLE_MS = 1_000

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
 * SPEC F1. Signals kept for a process whose session has no name yet: one of each kind is enough
 * to judge by, and there are fewer kinds than this.
 */
export const UNNAMED_SIGNALS_MAX = 32
