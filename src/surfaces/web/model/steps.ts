import { filtered } from '../../../view/board/choose.ts'
import { isStale } from '../../../view/freshness.ts'
import type { PageRoute, Tab } from './route.ts'
import { type PageEffect, type PageState, type PageStep, pageStep } from './state.ts'

/** Steps that keys and the pointer share. */

/** An open session stays selected. */
export function filteredBy(state: PageState, filter: string): PageState {
  const { selected, isChosen, route } = state
  const next = filtered(state, filter)
  return route.at === 'session' ? { ...next, selected, isChosen } : next
}

/** By a link, or by the browser's history. */
export function went(state: PageState, route: PageRoute): PageState {
  if (route.at !== 'session') return { ...state, route }
  return { ...state, route, selected: route.id, isChosen: true }
}

/** Opened on purpose: marks the session as read. */
export function chose(state: PageState, id: string): PageStep {
  const session = state.sessions.get(id)
  const route: PageRoute = { at: 'session', id, tab: tabOf(state, id) }
  const isThere = state.route.at === 'session'
  const go: PageEffect = { do: 'go', route, new: !(isThere && state.wide) }
  // SPEC FL200. The machine that keeps what was read cannot be asked.
  const isAskable = session?.unread && !isStale(session)
  const read: PageEffect[] = isAskable ? [{ do: 'read', session }] : []
  return pageStep({ ...state, selected: id, isChosen: true, route }, go, ...read)
}

/** The next session opens on the same tab; its screen is loaded again. */
function tabOf({ route }: PageState, id: string): Tab {
  if (route.at !== 'session') return 'now'
  return route.id === id || route.tab !== 'screen' ? route.tab : 'now'
}

export function tabbed(state: PageState, tab: Tab): PageStep {
  if (state.selected === null) return pageStep(state)
  const route: PageRoute = { at: 'session', id: state.selected, tab }
  const isThere = state.route.at === 'session'
  return pageStep({ ...state, isChosen: true, route }, { do: 'go', route, new: !isThere })
}
