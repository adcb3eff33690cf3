/**
 * SPEC SH10–SH12. Whether the user's actions on the page are meant for it. Another site may open
 * the page, or close a window in front of it, while the user types or clicks there.
 */
export interface Arming {
  /**
   * Since when the window has been visible and in front, with no key or click in the first 0.8 s;
   * null before that.
   */
  readonly hereSince: number | null
  /** The session that the user chose on purpose since then, and where, if by a click or a tap. */
  readonly armed: {
    readonly session: string
    readonly at: number
    readonly place: PressPlace | null
  } | null
  /** Where the last click or tap began; null after a key. */
  readonly pressed: PressPlace | null
}

/** In CSS pixels from the window's corner. */
export interface PressPlace {
  readonly x: number
  readonly y: number
}

export const UNARMED: Arming = { hereSince: null, armed: null, pressed: null }

/** Longer than a double click, and longer than a key needs that was meant for another window. */
const QUIET_MS = 800
/** Between the choice and the action: two separate actions, not one that bounced. */
const ARMED_MS = 400
/** Taps of a finger that stays where it is are less far apart. */
const SAME_PLACE_PX = 24

/** Times are from a clock that is never set. */
export function afterAttention(here: boolean, at: number): Arming {
  return here ? { ...UNARMED, hereSince: at } : UNARMED
}

/**
 * Any key or press. A user who plays a game on another site keeps pressing keys, arrows too, when
 * that site shows this page instead: the wait starts again until the user stops.
 */
export function touched(arming: Arming, at: number, pressed: PressPlace | null): Arming {
  const isAway = arming.hereSince === null
  const hereSince = isAway || hasPaused(arming, at) ? arming.hereSince : at
  return { ...arming, hereSince, pressed }
}

/** Whether the page has been in front long enough that the next press is meant for it. */
export function hasPaused({ hereSince }: Arming, at: number): boolean {
  return hereSince !== null && at - hereSince >= QUIET_MS
}

/** A click or a tap on the session or its request. */
export function pointed(arming: Arming, session: string, at: number): Arming {
  if (!hasPaused(arming, at)) return arming
  const since = arming.armed?.session === session ? arming.armed.at : at
  return { ...arming, armed: { session, at: since, place: arming.pressed } }
}

/** Keys that no text contains: a user who types into another window does not press them. */
const ARROWS = ['up', 'down', 'pageup', 'pagedown', 'home', 'end']

/**
 * A key led to a session. Letters, digits and Enter arm nothing by themselves, because a text
 * contains them; after a choice on purpose they may select the next session.
 */
export function keyed(arming: Arming, key: string, session: string | null, at: number): Arming {
  if (session === null) return arming
  const leadsOn = arming.armed !== null && arming.armed.session !== session
  return ARROWS.includes(key) || leadsOn ? pointed(arming, session, at) : arming
}

/** Why nothing can be answered, typed or stopped now; null if it can. */
export function whyUnarmed(arming: Arming, session: string, at: number): string | null {
  const { armed } = arming
  if (armed?.session !== session)
    return hasPaused(arming, at) ? CHOOSE_FIRST : `wait a second, then ${CHOOSE_FIRST}`
  return at - armed.at < ARMED_MS ? 'the session has just been chosen; read it first' : null
}

/**
 * SPEC SH11. Why a press of a button does not count; null if it does. Where the page is slow, taps
 * on one place may choose a session, hit its view before the request is drawn, and then the button
 * that has come to that place.
 */
export function whyRepeated({ armed, pressed }: Arming): string | null {
  const place = armed?.place
  if (!place || !pressed) return null
  const isSame = Math.hypot(place.x - pressed.x, place.y - pressed.y) < SAME_PLACE_PX
  return isSame ? 'click or tap the request at another place first, then answer' : null
}

const CHOOSE_FIRST = 'choose the session first (↑ ↓ or click), then answer'

/** Shown for a click that came before the pause. */
export const CLICK_AGAIN = 'the page has just come to the front; wait a second, then click again'
