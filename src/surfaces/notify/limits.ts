/** Every limit of notifications, each with its reason. */

/** SPEC NO5. More messages than this in a minute are noise, and are combined. */
export const PER_MINUTE = 6
export const WINDOW_MS = 60_000

/** SPEC NO6. As many as a person reads one by one; more at once are combined. */
export const SINGLES_MAX = 3

/**
 * SPEC NO6. The last two messages of a minute wait this long for others to combine with: agents
 * that ask all at once do so within seconds, and on a busy machine within ten.
 */
export const GATHER_MS: readonly number[] = [8_000, 2_000]

/**
 * SPEC NO4. A user who looks at a pane may look away without answering: then vigil notifies after
 * all.
 */
export const LOOK_AGAIN_MS = 30_000

/** Calls in memory; the oldest is dropped first. A machine has some hundred sessions at most. */
export const CALLS_MAX = 2_000

/** SPEC NO10. Phones and desktops cut longer ones themselves, some in the middle of a letter. */
export const TITLE_MAX = 80
export const BODY_MAX = 300

/** How much of a text is read: long enough that no secret is cut before it is recognised. */
export const RAW_MAX = 8_000

/** SPEC NO20. A phone network needs seconds; what takes longer does not arrive. */
export const CUT_OFF_MS = 10_000

/** SPEC NO21. Delays before the second, third, … try; then the message is dropped. */
export const WAITS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000]

/** SPEC NO21. The longest delay that a server may request. */
export const RETRY_AFTER_MAX_MS = 3_600_000

/** SPEC NO22. Messages that wait for one channel; the oldest is dropped first. */
export const QUEUE_MAX = 20

/** Sent messages that can still be retracted. */
export const SENT_MAX = 200
