/** Every number of the panes, with its reason. */

/** Sixteen pictures a second: a person sees it move; more than that and the page only works. */
export const FRAME_MS = 60

/** Where more goes by than is kept above the screen, all of it is told anew: less often. */
export const FLOOD_MS = 400

/**
 * Where nobody is attached nothing tells that a pane has printed, and each look is a process. After
 * a picture that changed the next is soon, and while nothing changes later and later.
 */
export const LOOK_FIRST_MS = 120
export const LOOK_MAX_MS = 1_000
export const LOOK_GROWS = 1.5

/** With a tap there is nothing to look for; but who sits in the pane is asked after. */
export const CHECK_MS = 1_000

/** Lines above the screen that are shown: some pages to scroll back through. */
export const ABOVE_MAX_LINES = 500

/** Pictures of one pane to several pages are one watch; so many of both are more than any desk. */
export const WATCHES_MAX = 16
export const VIEWERS_MAX = 32

/** A sign of life, as for events; and how long one may take nothing while pictures wait. */
export const HEARTBEAT_MS = 15_000
export const STALL_MS = 30_000

/** Keys that follow each other within this are one act in the log. */
export const BURST_MS = 5_000

/** Of a prompt this much is in the log. */
export const PROMPT_LOGGED_CHARS = 2_000
