import type { Session } from '../../protocol/session.ts'
import type { PlacedRow } from '../order.ts'
import { wordsOf } from '../session.ts'

export const GROUPS = ['nothing', 'project', 'machine'] as const
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
  if (from === sessions.length) return { rows: sessions, closed: [] }
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
  const groups = [...Map.groupBy(shown, (session) => groupOf(session, board.group)).values()]
  const names = groups.map(([first]) => (first ? nameOf(first, board.group) : ''))
  return groups.flatMap((sessions, at): BoardRow[] => {
    const [name = '', [first]] = [names[at], sessions]
    // SPEC FL85. A host name used twice is told apart by the machine.
    const isTwice = first && names.indexOf(name) !== names.lastIndexOf(name)
    const called = isTwice ? `${name} (${first.machine.slice(0, MACHINE_SHOWN)})` : name
    return [{ kind: 'group', name: called, count: sessions.length }, ...sessions.map(rowOf)]
  })
}

export function sessionsIn(rows: readonly BoardRow[]): readonly Session[] {
  return rows.flatMap((row) => (row.kind === 'session' ? row.session : []))
}

function shownOf(board: Listed): readonly Session[] {
  const words = board.filter.toLowerCase().split(/\s+/).filter(Boolean)
  const isFiltered = words.length > 0 || board.dismissed.size > 0
  const shown: Session[] = []
  for (const { id } of board.order) {
    const session = board.sessions.get(id)
    if (session && (!isFiltered || isShown(board, session, words))) shown.push(session)
  }
  return shown
}

function isShown(board: Listed, session: Session, words: readonly string[]): boolean {
  if (isDismissed(board, session)) return false
  return words.every((word) => textOf(session).includes(word))
}

/** Hidden until its state begins anew. */
export function isDismissed(
  { dismissed }: Pick<Listed, 'dismissed'>,
  { id, since }: Session,
): boolean {
  return dismissed.get(id) === since
}

/** Letters of a machine's id that tell a few machines apart. */
const MACHINE_SHOWN = 8

/** What sessions of one group have in common. A recording names itself as its host. */
function groupOf(session: Session, group: Grouping): string {
  const name = nameOf(session, group)
  return group === 'machine' ? `${session.machine} ${name}` : name
}

function nameOf({ project, host, cwd }: Session, group: Grouping): string {
  return group === 'machine' ? host : (project ?? cwd ?? 'no folder')
}

/** The text that a filter searches. */
function textOf(session: Session): string {
  const { project, branch, host, id, agent, unread } = session
  const words = [session.name, wordsOf(session), project, branch, host, agent, id]
  return [...words, unread ? 'unread' : ''].join(' ').toLowerCase()
}
