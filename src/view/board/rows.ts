import type { Session } from '../../protocol/session.ts'
import type { PlacedRow } from '../order.ts'
import { wordsOf } from '../session.ts'

export const GROUPS = ['nothing', 'project', 'host'] as const
export type Grouping = (typeof GROUPS)[number]

/** A line of the list: a session, or the heading of a group. */
export type BoardRow =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'group'; readonly name: string; readonly count: number }
  /** The line of the closed sessions, which folds them or stands above them. */
  | { readonly kind: 'closed'; readonly count: number; readonly isOpen: boolean }

/** What the list is derived from. */
export interface Listed {
  readonly sessions: ReadonlyMap<string, Session>
  /** All sessions, from the top. */
  readonly order: readonly PlacedRow[]
  readonly filter: string
  readonly group: Grouping
  /** Hidden sessions, and when their state had begun at that time. */
  readonly dismissed: ReadonlyMap<string, number>
  /** Closed sessions are listed one by one. */
  readonly unfolded: boolean
  readonly selected: string | null
  readonly isChosen: boolean
}

/** The list from the top: sessions that are neither dismissed nor filtered out, by groups. */
export function rowsOf(board: Listed): readonly BoardRow[] {
  const { rows, closed } = foldClosed(shownOf(board), keptVisible(board))
  // A filter also searches closed sessions.
  if (closed.length < FOLDED_MIN || board.filter !== '')
    return groupedRows(board, [...rows, ...closed])
  const line: BoardRow = { kind: 'closed', count: closed.length, isOpen: board.unfolded }
  const below = board.unfolded ? closed.map(rowOf) : []
  return [...groupedRows(board, rows), line, ...below]
}

/** A single closed session takes no more room than the line that folds it. */
export const FOLDED_MIN = 2

/**
 * SPEC VW27. Closed sessions at the end of a list. A session that has just closed stays in its
 * place until the list is ordered again.
 */
export function foldClosed<T extends Pick<Session, 'id' | 'state'>>(
  sessions: readonly T[],
  kept: string | null = null,
): { readonly rows: readonly T[]; readonly closed: readonly T[] } {
  const from = sessions.findLastIndex(({ state }) => state !== 'closed') + 1
  const [rows, closed] = [sessions.slice(0, from), sessions.slice(from)]
  return {
    rows: [...rows, ...closed.filter(({ id }) => id === kept)],
    closed: closed.filter(({ id }) => id !== kept),
  }
}

/** The session that the user chose stays visible, closed or not. */
export function keptVisible({ sessions, selected, isChosen, unfolded }: Listed): string | null {
  const isKept = isChosen && !unfolded && selected !== null
  return isKept && sessions.get(selected)?.state === 'closed' ? selected : null
}

function rowOf(session: Session): BoardRow {
  return { kind: 'session', session }
}

function groupedRows(board: Listed, shown: readonly Session[]): readonly BoardRow[] {
  if (board.group === 'nothing') return shown.map(rowOf)
  // The group of the most urgent session comes first; within a group the order stays.
  const groups = Map.groupBy(shown, (session) => groupOf(session, board.group))
  return [...groups].flatMap(([name, sessions]): BoardRow[] => [
    { kind: 'group', name, count: sessions.length },
    ...sessions.map(rowOf),
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

/** Hidden until its state begins anew. */
export function isDismissed(
  { dismissed }: Pick<Listed, 'dismissed'>,
  { id, since }: Session,
): boolean {
  return dismissed.get(id) === since
}

function groupOf({ project, host, cwd }: Session, group: Grouping): string {
  return group === 'host' ? host : (project ?? cwd ?? 'no folder')
}

/** The text that a filter searches. */
function textOf(session: Session): string {
  const { project, branch, host, id, agent, unread } = session
  const words = [session.name, wordsOf(session), project, branch, host, agent, id]
  return [...words, unread ? 'unread' : ''].join(' ').toLowerCase()
}
