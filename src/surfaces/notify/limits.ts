/** Every number of notifications, each with its reason. */

/** SPEC NO5. More than this in a minute is noise, and is told together. */
export const PER_MINUTE = 6
export const WINDOW_MS = 60_000

/** SPEC NO6. What a person takes in one by one; more at once are told together. */
export const SINGLES_MAX = 3

/**
 * SPEC NO6. The last message of a minute waits this long for others that it can tell, too, and the
 * last but one: agents that ask all at once do so within seconds, and on a busy machine within ten.
 */
export const GATHER_MS: readonly number[] = [8_000, 2_000]

/** SPEC NO4. Who looks at a pane may look away without an answer: then it is told after all. */
export const LOOK_AGAIN_MS = 30_000

/** Calls kept at a time; the oldest goes first. A machine has some hundred sessions at most. */
export const CALLS_MAX = 2_000

/** SPEC NO10. Phones and desktops cut longer ones themselves, some in the middle of a letter. */
export const TITLE_MAX = 80
export const BODY_MAX = 300

/** What is read of a text at all: long enough that no secret is cut before it is known for one. */
export const RAW_MAX = 8_000

/** SPEC NO20. A phone network needs seconds; what takes longer does not come. */
export const CUT_OFF_MS = 10_000

/** SPEC NO21. Waits before the second, third, … try; then the message is given up. */
export const WAITS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000]

/** SPEC NO21. The longest wait that a server may ask for. */
export const RETRY_AFTER_MAX_MS = 3_600_000

/** SPEC NO22. Messages that wait for one channel; the oldest goes first. */
export const QUEUE_MAX = 20

/** Sent messages whose withdrawing is still possible. */
export const SENT_MAX = 200
