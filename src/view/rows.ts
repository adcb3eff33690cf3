import type { Session } from '../protocol/session.ts'
import type { Standing } from './order.ts'
import { nameOf, wordsOf } from './session.ts'

export const GROUPS = ['nothing', 'project', 'host'] as const
export type Group = (typeof GROUPS)[number]

/** A line of the list: a session, or the name of those below it. */
export type Row =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'group'; readonly name: string; readonly count: number }

/** All that a list follows from, in a terminal as on the page. */
export interface Listed {
  readonly sessions: ReadonlyMap<string, Session>
  /** All sessions, from the top. */
  readonly order: readonly Standing[]
  readonly filter: string
  readonly group: Group
  /** Sessions out of sight, and the state's beginning they had then. */
  readonly dismissed: ReadonlyMap<string, number>
}

/** What is in the list, from the top: what is neither dismissed nor filtered out, by groups. */
export function rowsOf(state: Listed): readonly Row[] {
  const shown = shownOf(state)
  if (state.group === 'nothing') return shown.map((session) => ({ kind: 'session', session }))
  // The group of the neediest session comes first; within it the order stays.
  const groups = Map.groupBy(shown, (session) => groupOf(session, state.group))
  return [...groups].flatMap(([name, sessions]): Row[] => [
    { kind: 'group', name, count: sessions.length },
    ...sessions.map((session): Row => ({ kind: 'session', session })),
  ])
}

export function shownOf(state: Listed): readonly Session[] {
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean)
  return state.order.flatMap(({ id }) => {
    const session = state.sessions.get(id)
    if (!session || isDismissed(state, session)) return []
    return words.every((word) => textOf(session).includes(word)) ? [session] : []
  })
}

/** Out of sight until something happens to it. */
export function isDismissed(
  { dismissed }: Pick<Listed, 'dismissed'>,
  { id, since }: Session,
): boolean {
  return dismissed.get(id) === since
}

function groupOf({ project, host, cwd }: Session, group: Group): string {
  return group === 'host' ? host : (project ?? cwd ?? 'no folder')
}

/** What a filter is looked for in. */
function textOf(session: Session): string {
  const { project, branch, host, id, agent, unread } = session
  const words = [nameOf(session), wordsOf(session), project, branch, host, agent, id]
  return [...words, unread ? 'unread' : ''].join(' ').toLowerCase()
}
