import { afterAsks, afterChanges, afterListing } from '../../view/known.ts'
import { arrange } from '../../view/order.ts'
import { isDismissed, type Row, rowsOf } from '../../view/rows.ts'
import { withdrawn } from './answer-keys.ts'
import { geometryOf } from './geometry.ts'
import { pressed, selectedOf } from './keys.ts'
import { scrollMax } from './layout.ts'
import { noticed } from './notice.ts'
import { afterLook } from './reading.ts'
import type { Event, State, Step } from './state.ts'

/** What becomes of the view when something happens. Pure: what is to be done is in the effects. */
export function update(state: State, event: Event): Step {
  const { state: next, effects } = step(state, event)
  const shown = settled(withdrawn(next), state.order)
  return { state: afterLook(shown, selectedOf(shown)), effects }
}

function step(state: State, event: Event): Step {
  switch (event.kind) {
    case 'key':
      return pressed({ ...state, now: event.now, lastKeyAt: event.now }, event.key)
    case 'listed':
      return only(listed(state, event))
    case 'reset':
      return only({ ...state, heard: new Map() })
    case 'changed':
      return only(
        arranged({ ...state, ...afterChanges(state, event.changes), now: event.now }, false),
      )
    case 'connection':
      return only({ ...state, lostSince: event.connected ? null : (state.lostSince ?? event.now) })
    case 'resized':
      return only({ ...state, columns: event.columns, rows: event.rows })
    case 'passed':
      return only(passed(state, event.now))
    case 'focus':
      return only({ ...state, focused: event.focused })
    case 'details':
      return only(looked(state, event))
    case 'asks':
      return only({ ...state, ...afterAsks(state, event) })
    case 'notice':
      return only(noticed({ ...state, now: event.now }, event.text))
  }
}

function only(state: State): Step {
  return { state, effects: [] }
}

function listed(state: State, { listing }: Extract<Event, { kind: 'listed' }>): State {
  const { now } = listing
  return arranged({ ...state, ...afterListing(state, listing), now, loading: false }, false)
}

/** What is asked anew has just come into sight. */
function looked(state: State, { details, now }: Extract<Event, { kind: 'details' }>): State {
  const [was, is] = [state.details?.request, details.request]
  const isSame = is?.id === was?.id && is?.digest === was?.digest
  return { ...state, details, seenAt: isSame ? state.seenAt : now }
}

function passed(state: State, now: number): State {
  const notice = state.notice && state.notice.until > now ? state.notice : null
  const looking = state.focused && now - state.lastKeyAt < LOOKS_MS
  return arranged({ ...state, now, notice }, !looking)
}

/** Somebody who pressed a key a moment ago has their eye on a row, unless the window was left. */
const LOOKS_MS = 15_000

/**
 * `anew`: rows may go where they belong. That is when time passes, once a second, and not with each
 * change: with many sessions the list would never stand still.
 */
function arranged(state: State, anew: boolean): State {
  const order = arrange(state.order, [...state.sessions.values()], !anew)
  const dismissed = new Map(
    [...state.dismissed].filter(([id]) => {
      const session = state.sessions.get(id)
      return session && isDismissed(state, session)
    }),
  )
  return { ...state, order, dismissed }
}

/** The chosen row exists and is in sight, whatever happened. */
function settled(state: State, before: State['order']): State {
  const rows = rowsOf(state)
  const selected = state.selected === null ? null : chosen(state.selected, rows, before)
  const { height } = geometryOf(state.columns, state.rows).list
  const at = selected === null ? 0 : indexOf(rows, selected)
  const last = Math.max(0, rows.length - height)
  // The name of a group is in sight with its first session.
  const from = rows[at - 1]?.kind === 'group' ? at - 1 : at
  const top = Math.min(last, Math.max(at - height + 1, Math.min(state.top, from)))
  const scroll = state.scroll === 0 ? 0 : Math.min(state.scroll, scrollMax(state))
  return { ...state, selected, scroll, top: Math.max(0, top) }
}

/** One that is gone leaves its place to its neighbour. */
function chosen(selected: string, rows: readonly Row[], before: State['order']): string | null {
  if (indexOf(rows, selected) >= 0) return selected
  const order = before.map(({ id }) => id)
  const shown = new Set(rows.flatMap((row) => (row.kind === 'session' ? row.session.id : [])))
  const at = order.indexOf(selected)
  const below = order.slice(at + 1).find((id) => shown.has(id))
  return below ?? order.slice(0, Math.max(0, at)).findLast((id) => shown.has(id)) ?? null
}

function indexOf(rows: readonly Row[], id: string): number {
  return rows.findIndex((row) => row.kind === 'session' && row.session.id === id)
}
