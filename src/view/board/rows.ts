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
  const { rows, closed } = foldClosed(shownOf(board), keptVisible(board), sessionOf)
  // A filter also searches closed sessions.
  if (closed.length < FOLDED_MIN || board.filter !== '')
    return groupedRows(board, [...rows, ...closed])
  const line: BoardRow = { kind: 'closed', count: closed.length, isOpen: board.unfolded }
  const below = board.unfolded ? closed : []
  return [...groupedRows(board, rows), line, ...below]
}

/** A single closed session takes no more room than the line that folds it. */
export const FOLDED_MIN = 2

/**
 * SPEC VW27. Closed sessions at the end of a list. A session that has just closed stays in its
 * place until the list is ordered again.
 */
export function foldClosed<T>(
  all: readonly T[],
  kept: string | null,
  of: (row: T) => Pick<Session, 'id' | 'state'>,
): { readonly rows: readonly T[]; readonly closed: readonly T[] } {
  const from = all.findLastIndex((row) => of(row).state !== 'closed') + 1
  if (from === all.length) return { rows: all, closed: [] }
  const [rows, closed] = [all.slice(0, from), all.slice(from)]
  return {
    rows: [...rows, ...closed.filter((row) => of(row).id === kept)],
    closed: closed.filter((row) => of(row).id !== kept),
  }
}

/** The session that the user chose stays visible, closed or not. */
export function keptVisible({ sessions, selected, isChosen, unfolded }: Listed): string | null {
  const isKept = isChosen && !unfolded && selected !== null
  return isKept && sessions.get(selected)?.state === 'closed' ? selected : null
}

function sessionOf({ session }: PlacedRow): Session {
  return session
}

function groupedRows(board: Listed, shown: readonly PlacedRow[]): readonly BoardRow[] {
  if (board.group === 'nothing') return shown
  // The group of the most urgent session comes first; within a group the order stays.
  const groups = [...Map.groupBy(shown, ({ session }) => groupOf(session, board.group)).values()]
  const names = groups.map(([first]) => (first ? nameOf(first.session, board.group) : ''))
  return groups.flatMap((rows, at): BoardRow[] => {
    const [name = '', [first]] = [names[at], rows]
    // SPEC FL85. A host name used twice is told apart by the machine.
    const isTwice = first && names.indexOf(name) !== names.lastIndexOf(name)
    const called = isTwice ? `${name} (${first.session.machine.slice(0, MACHINE_SHOWN)})` : name
    return [{ kind: 'group', name: called, count: rows.length }, ...rows]
  })
}

export function sessionsIn(rows: readonly BoardRow[]): readonly Session[] {
  return rows.flatMap((row) => (row.kind === 'session' ? row.session : []))
}

function shownOf(board: Listed): readonly PlacedRow[] {
  const words = board.filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && board.dismissed.size === 0) return board.order
  return board.order.filter(({ session }) => isShown(board, session, words))
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
