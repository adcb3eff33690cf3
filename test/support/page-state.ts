import type { Session } from '../../src/protocol/session.ts'
import type { PageRoute } from '../../src/surfaces/web/model/route.ts'
import {
  initialPage,
  type PageEffect,
  type PageEvent,
  type PageState,
} from '../../src/surfaces/web/model/state.ts'
import { updatePage } from '../../src/surfaces/web/model/update.ts'
import type { Board } from '../../src/view/board/board.ts'
import { NOW, snapshot } from './board.ts'

/** What the page knows of these sessions before any action. */
export function pageOf(
  sessions: readonly Session[],
  { wide = true, route = { at: 'board' } as PageRoute } = {},
): PageState {
  return happened(initialPage(NOW, route, wide), snapshot(sessions))
}

export function happened(state: PageState, ...events: readonly PageEvent[]): PageState {
  return events.reduce((known, event) => updatePage(known, event).state, state)
}

/** Keys one after the other, each at this moment. */
export function press(state: PageState, ...keys: readonly string[]): PageState {
  return happened(
    state,
    ...keys.map((key) => ({ kind: 'key' as const, key, now: state.now, at: state.now })),
  )
}

export function effectsOf(state: PageState, key: string): readonly PageEffect[] {
  return updatePage(state, { kind: 'key', key, now: state.now, at: state.now }).effects
}

/** The names of the rows, from the top. */
export function rowNames({ list }: Board): string {
  const names = list.map((row) => {
    if (row.kind === 'closed') return `[${row.count} closed]`
    return row.kind === 'group' ? `[${row.name}]` : row.session.id
  })
  return names.join(' ')
}
