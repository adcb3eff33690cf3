import type { Session } from '../../src/protocol/session.ts'
import type { Route } from '../../src/surfaces/web/model/route.ts'
import { type Effect, type Event, initial, type State } from '../../src/surfaces/web/model/state.ts'
import { update } from '../../src/surfaces/web/model/update.ts'
import { aListing } from './listing.ts'

export const NOW = 1_000_000

/** What the page knows of these sessions before anybody has done anything. */
export function pageOf(
  sessions: readonly Session[],
  { wide = true, route = { at: 'board' } as Route } = {},
): State {
  return happened(initial(NOW, route, wide), listing(sessions))
}

export function listing(sessions: readonly Session[], seq = 1, now = NOW): Event {
  return { kind: 'listed', listing: aListing(sessions, { seq, now }) }
}

export function happened(state: State, ...events: readonly Event[]): State {
  return events.reduce((known, event) => update(known, event).state, state)
}

/** Keys one after the other, each at this moment. */
export function press(state: State, ...keys: readonly string[]): State {
  return happened(
    state,
    ...keys.map((key) => ({ kind: 'key' as const, key, now: state.now, at: state.now })),
  )
}

export function effectsOf(state: State, key: string): readonly Effect[] {
  return update(state, { kind: 'key', key, now: state.now, at: state.now }).effects
}

/** The names of the rows, from the top. */
export function rowNames({ rows }: State): string {
  return rows.map((row) => (row.kind === 'group' ? `[${row.name}]` : row.session.id)).join(' ')
}
