import type { Group } from '../../../view/rows.ts'
import { noticed } from './notice.ts'
import type { Route, Tab } from './route.ts'
import type { Effect, State, Step } from './state.ts'

/** What the keys and the pointer both do. */

const FILTER_MAX_CHARACTERS = 60

export function filtered(state: State, filter: string): State {
  return { ...state, filter: filter.slice(0, FILTER_MAX_CHARACTERS) }
}

export function grouped(state: State, group: Group): State {
  return noticed({ ...state, group }, group === 'nothing' ? 'not grouped' : `grouped by ${group}`)
}

/** By a link, or back and forth in the browser's history. */
export function went(state: State, route: Route): State {
  if (route.at !== 'session') return { ...state, route }
  return { ...state, route, selected: route.id }
}

/** Opened on purpose: its user has seen it. */
export function chose(state: State, id: string): Step {
  const session = state.sessions.get(id)
  const route: Route = { at: 'session', id, tab: tabOf(state, id) }
  const isThere = state.route.at === 'session'
  const go: Effect = { do: 'go', route, new: !(isThere && state.wide) }
  const read: Effect[] = session?.unread ? [{ do: 'read', session }] : []
  return { state: { ...state, selected: id, route }, effects: [go, ...read] }
}

/** From one session to the next one looks at the same side of it; its screen is asked for anew. */
function tabOf({ route }: State, id: string): Tab {
  if (route.at !== 'session') return 'now'
  return route.id === id || route.tab !== 'screen' ? route.tab : 'now'
}

export function tabbed(state: State, tab: Tab): Step {
  if (state.selected === null) return { state, effects: [] }
  const route: Route = { at: 'session', id: state.selected, tab }
  const isThere = state.route.at === 'session'
  return { state: { ...state, route }, effects: [{ do: 'go', route, new: !isThere }] }
}
