/**
 * SPEC SH10–SH12. Whether what its user does on the page is meant for it. Another site may open the
 * page, or close what stood in front of it, while somebody types or clicks there.
 */
export interface Arming {
  /**
   * Since when the window has been visible and in front, with no key or click in the first 0.8 s of
   * that; null while it is not.
   */
  readonly hereSince: number | null
  /** The session that was chosen on purpose since then. */
  readonly armed: { readonly session: string; readonly at: number } | null
}

export const UNARMED: Arming = { hereSince: null, armed: null }

/** Longer than a double click, and than a key takes that was on its way to another window. */
const QUIET_MS = 800
/** Between the choice and what it allows: two acts, and not one that bounced. */
const ARMED_MS = 400

/** Times are of one clock that is never set. */
export function afterAttention(here: boolean, at: number): Arming {
  return here ? { hereSince: at, armed: null } : UNARMED
}

/**
 * Any key or press. Somebody who plays a game of another site, with arrows too, goes on pressing
 * when that site has put this page in its place: the wait begins anew until they stop.
 */
export function touched(arming: Arming, at: number): Arming {
  const isAway = arming.hereSince === null
  return isAway || isTooSoon(arming, at) ? arming : { ...arming, hereSince: at }
}

export function isTooSoon({ hereSince }: Arming, at: number): boolean {
  return hereSince !== null && at - hereSince >= QUIET_MS
}

/** A click or a tap on the session or its request. */
export function pointed(arming: Arming, session: string, at: number): Arming {
  if (!isTooSoon(arming, at) || arming.armed?.session === session) return arming
  return { ...arming, armed: { session, at } }
}

/** Keys that no text has: nobody writes them into a window that is not there any more. */
const ARROWS = ['up', 'down', 'pageup', 'pagedown', 'home', 'end']

/**
 * A key has led to a session. Letters, digits and Enter arm nothing by themselves, for a text holds
 * them; once something was chosen on purpose they lead on from there.
 */
export function keyed(arming: Arming, key: string, session: string | null, at: number): Arming {
  if (session === null) return arming
  const leadsOn = arming.armed !== null && arming.armed.session !== session
  return ARROWS.includes(key) || leadsOn ? pointed(arming, session, at) : arming
}

/** Why nothing is answered, typed or stopped now; null where it may be. */
export function whyUnarmed(arming: Arming, session: string, at: number): string | null {
  const { armed } = arming
  if (armed?.session !== session)
    return isTooSoon(arming, at) ? CHOOSE_FIRST : `pause for a second, then ${CHOOSE_FIRST}`
  return at - armed.at < ARMED_MS ? 'it has just been chosen; look at it first' : null
}

const CHOOSE_FIRST = 'choose the session first (↑ ↓ or click), then answer'

/** Said of a click that came before the pause. */
export const CLICK_AGAIN =
  'the page has just come to the front: to answer, wait a second and click again'
