import type { Session } from '../../../protocol/session.ts'
import { afterAsks, afterChanges, afterListing } from '../../../view/known.ts'
import { arrange } from '../../../view/order.ts'
import { isDismissed, rowsOf } from '../../../view/rows.ts'
import { afterAttention, CLICK_AGAIN, isQuiet, keyed, pointed, touched } from './arming.ts'
import { sessionsIn } from './choice.ts'
import { pressed } from './keys.ts'
import { began, meanwhile, saidOf } from './news.ts'
import { noticed } from './notice.ts'
import type { Event, State, Step } from './state.ts'
import { chose, filtered, grouped, went } from './steps.ts'

/** What becomes of the page when something happens. Pure: what is to be done is in the effects. */
export function update(state: State, event: Event): Step {
  const { state: next, effects } = step(state, event)
  return { state: settled(state, next), effects }
}

function step(state: State, event: Event): Step {
  switch (event.kind) {
    case 'listed':
      return only(listed(state, event))
    case 'reset':
      return only({ ...state, heard: new Map() })
    case 'changed':
      return only(
        placed({ ...state, ...afterChanges(state, event.changes), now: event.now }, false),
      )
    case 'asks':
      return only({ ...state, ...afterAsks(state, event) })
    case 'connection':
      return only(connection(state, event))
    case 'passed':
      return only(passed(state, event.now))
    case 'key':
      return afterKey({ ...state, now: event.now, lastActAt: event.now }, event)
    case 'attention':
      return only({ ...state, arming: afterAttention(event.here, event.at) })
    case 'touched':
      return only({ ...state, arming: touched(state.arming, event.at) })
    case 'pointed':
      return only(pointedAt(state, event.session, event.at))
    case 'acted':
      return only({ ...state, lastActAt: event.now })
    case 'focus':
      return only({ ...state, focused: event.focused })
    case 'wide':
      return only({ ...state, wide: event.wide })
    case 'sight':
      return only({ ...state, sight: { from: event.from, count: event.count } })
    case 'went':
      return only(went(state, event.route))
    case 'chose':
      return chose(chosenBy({ ...state, now: event.now, lastActAt: event.now }, event), event.id)
    case 'filtered':
      return only(filtered({ ...state, lastActAt: event.now }, event.filter))
    case 'grouped':
      return only(grouped({ ...state, lastActAt: event.now }, event.group))
    case 'help':
      return only({ ...state, help: event.help })
    case 'details':
      return only({ ...state, details: event.details })
    case 'notice':
      return only(noticed(state, event.text, event.tone))
  }
}

function afterKey(state: State, { key, at }: Extract<Event, { kind: 'key' }>): Step {
  const { state: next, effects } = pressed(state, key, at)
  return { state: { ...next, arming: keyed(next.arming, key, next.selected, at) }, effects }
}

/**
 * SPEC SH11. On a narrow page the view takes the place of the list: who taps a row twice would hit
 * the button that allows with the second one. There the view has to be tapped.
 */
function chosenBy(state: State, { id, at }: Extract<Event, { kind: 'chose' }>): State {
  return state.wide ? pointedAt(state, id, at) : state
}

/** SPEC SH10. A click that brings the page to the front arms nothing; the page says so. */
function pointedAt(state: State, id: string, at: number): State {
  const asks = (state.sessions.get(id)?.asks.length ?? 0) > 0
  if (asks && !isQuiet(state.arming, at)) return noticed(state, CLICK_AGAIN)
  return { ...state, arming: pointed(state.arming, id, at) }
}

function only(state: State): Step {
  return { state, effects: [] }
}

function listed(state: State, { listing }: Extract<Event, { kind: 'listed' }>): State {
  const { now } = listing
  const known = placed({ ...state, ...afterListing(state, listing), now, loading: false }, false)
  if (!state.lost || state.lostSince !== null) return known
  const words = meanwhile([...state.lost.values()], known.sessions)
  const back = { ...known, lost: null }
  return words === '' ? back : noticed(back, words)
}

function connection(state: State, event: Extract<Event, { kind: 'connection' }>): State {
  if (event.connected) return { ...state, lostSince: null }
  const lost = state.lost ?? state.sessions
  return { ...state, lostSince: state.lostSince ?? event.now, lost }
}

/** Somebody who did something a moment ago has their eye on a row, unless the window was left. */
const LOOKS_MS = 15_000

function passed(state: State, now: number): State {
  const notice = state.notice && state.notice.until > now ? state.notice : null
  const looking = state.focused && now - state.lastActAt < LOOKS_MS
  return placed({ ...state, now, notice }, !looking)
}

/**
 * SPEC PG5. `anew`: rows may go where they belong. That is when time passes, once a second, and not
 * with each change: with many sessions the list would never stand still.
 */
function placed(state: State, anew: boolean): State {
  const order = arrange(state.order, [...state.sessions.values()], !anew)
  if (state.dismissed.size === 0) return { ...state, order }
  const dismissed = new Map(
    [...state.dismissed].filter(([id]) => {
      const session = state.sessions.get(id)
      return session && isDismissed(state, session)
    }),
  )
  return { ...state, order, dismissed }
}

/** The list follows from the rest; the chosen row exists, and news are told. */
function settled(before: State, after: State): State {
  const same = LISTED.every((name) => before[name] === after[name])
  const state = { ...after, rows: same ? after.rows : rowsOf(after), said: heardOf(before, after) }
  if (state.loading) return state
  return { ...state, selected: state.selected === null ? first(state) : chosen(state, before) }
}

const LISTED = ['sessions', 'order', 'filter', 'group', 'dismissed'] as const

function heardOf(before: State, after: State): string {
  if (before.loading || before.sessions === after.sessions) return after.said
  return saidOf(began(before.sessions, after.sessions)) || after.said
}

/** Beside the list there is always a session to see; it stays the same one, whoever moves up. */
function first(state: State): string | null {
  return state.wide && state.choosesFirst ? (sessionsIn(state.rows)[0]?.id ?? null) : null
}

/** SPEC PG6. One that is gone leaves its place to its neighbour; one that is open stays chosen. */
function chosen(state: State, before: State): string | null {
  const { selected, rows, sessions, route } = state
  const shown = sessionsIn(rows)
  const isOpen = route.at === 'session' && route.id === selected
  if (selected === null || shown.some(({ id }) => id === selected)) return selected
  if (isOpen || sessions.has(selected)) return isOpen ? selected : first(state)
  return neighbour(selected, sessionsIn(before.rows), shown) ?? first(state)
}

function neighbour(id: string, before: readonly Session[], shown: readonly Session[]) {
  const at = before.findIndex((session) => session.id === id)
  const isShown = new Set(shown.map((session) => session.id))
  const near = [...before.slice(at + 1), ...before.slice(0, Math.max(0, at)).toReversed()]
  return near.find((session) => isShown.has(session.id))?.id
}
