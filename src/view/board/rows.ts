import type { Session } from '../../protocol/session.ts'
import type { Standing } from '../order.ts'
import { wordsOf } from '../session.ts'

export const GROUPS = ['nothing', 'project', 'host'] as const
export type Grouping = (typeof GROUPS)[number]

/** A line of the list: a session, or the name of those below it. */
export type BoardRow =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'group'; readonly name: string; readonly count: number }

/** All that a list follows from. */
export interface Listed {
  readonly sessions: ReadonlyMap<string, Session>
  /** All sessions, from the top. */
  readonly order: readonly Standing[]
  readonly filter: string
  readonly group: Grouping
  /** Sessions out of sight, and the state's beginning they had then. */
  readonly dismissed: ReadonlyMap<string, number>
}

/** What is in the list, from the top: what is neither dismissed nor filtered out, by groups. */
export function rowsOf(board: Listed): readonly BoardRow[] {
  const shown = shownOf(board)
  if (board.group === 'nothing') return shown.map((session) => ({ kind: 'session', session }))
  // The group of the neediest session comes first; within it the order stays.
  const groups = Map.groupBy(shown, (session) => groupOf(session, board.group))
  return [...groups].flatMap(([name, sessions]): BoardRow[] => [
    { kind: 'group', name, count: sessions.length },
    ...sessions.map((session): BoardRow => ({ kind: 'session', session })),
  ])
}

export function sessionsIn(rows: readonly BoardRow[]): readonly Session[] {
  return rows.flatMap((row) => (row.kind === 'session' ? row.session : []))
}

function shownOf(board: Listed): readonly Session[] {
  const words = board.filter.toLowerCase().split(/\s+/).filter(Boolean)
  return board.order.flatMap(({ id }) => {
    const session = board.sessions.get(id)
    if (!session || isDismissed(board, session)) return []
    return words.every((word) => textOf(session).includes(word)) ? [session] : []
  })
}

/** Out of sight until its state begins anew. */
export function isDismissed(
  { dismissed }: Pick<Listed, 'dismissed'>,
  { id, since }: Session,
): boolean {
  return dismissed.get(id) === since
}

function groupOf({ project, host, cwd }: Session, group: Grouping): string {
  return group === 'host' ? host : (project ?? cwd ?? 'no folder')
}

/** The text that a filter's words are looked for in. */
function textOf(session: Session): string {
  const { project, branch, host, id, agent, unread } = session
  const words = [session.name, wordsOf(session), project, branch, host, agent, id]
  return [...words, unread ? 'unread' : ''].join(' ').toLowerCase()
}
