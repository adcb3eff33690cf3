/** Every number of the panes, with its reason. */

/** Sixteen frames a second look smooth; more would only keep the page busy. */
export const FRAME_MS = 60

/** When more lines scroll by than are stored, the whole pane is sent again: less often. */
export const FLOOD_MS = 400

/**
 * Without an attached client nothing signals that a pane has printed, and each look starts a
 * process. After a changed frame the next look comes soon, and while nothing changes later and
 * later.
 */
export const LOOK_FIRST_MS = 120
export const LOOK_MAX_MS = 1_000
export const LOOK_GROWS = 1.5

/** With a tap no polling is needed; but the pane's process is still checked. */
export const CHECK_MS = 1_000

/** Lines above the screen that are shown: some pages to scroll back. */
export const ABOVE_MAX_LINES = 500

/** One pane on several pages is one watch; these limits are more than any user needs. */
export const WATCHES_MAX = 16
export const VIEWERS_MAX = 32

/** A heartbeat, as for events; and how long a viewer may read nothing while frames wait. */
export const HEARTBEAT_MS = 15_000
export const STALL_MS = 30_000

/** Keys within this time of each other are one act in the log. */
export const BURST_MS = 5_000

/** How much of a prompt is in the log. */
export const PROMPT_LOGGED_CHARS = 2_000
