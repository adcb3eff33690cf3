import type { Session } from '../../protocol/session.ts'
import { isStale, UNREACHABLE } from '../freshness.ts'
import { nextNeedy } from '../order.ts'
import { needsUser } from '../session.ts'
import { type Board, noticed, selectedOf } from './board.ts'
import { GROUPS, type Grouping, sessionsIn } from './rows.ts'

/** What keys and pointer do to the list, the same in every view. */

function chosen<B extends Board>(board: B, id: string | undefined): B {
  return id === undefined ? board : { ...board, selected: id, isChosen: true }
}

/** Moves the selection down by this many rows, and not beyond the ends. */
export function movedBy<B extends Board>(board: B, by: number): B {
  const sessions = sessionsIn(board.list)
  const at = sessions.findIndex(({ id }) => id === board.selected)
  const to = at < 0 ? 0 : Math.min(sessions.length - 1, Math.max(0, at + by))
  return chosen(board, sessions[to]?.id)
}

/** Numbers count the visible sessions. */
export function numbered<B extends Board>(board: B, number: number, sight: RowWindow): B {
  const inSight = sessionsIn(board.list.slice(sight.from, sight.from + sight.count))
  return chosen(board, inSight[number - 1]?.id)
}

/** The visible rows. */
export interface RowWindow {
  readonly from: number
  readonly count: number
}

/** Selects the session that has needed the user longest; again, the next one. */
export function nextOne<B extends Board>(board: B): B {
  const current = board.isChosen ? selectedOf(board) : undefined
  const after = current && needsUser(current) ? current.id : undefined
  const session = nextNeedy(sessionsIn(board.list), after)
  return session ? chosen(board, session.id) : noticed(board, 'no session needs you')
}

const FILTER_MAX_CHARACTERS = 60

/** Selects the topmost session that matches. */
export function filtered<B extends Board>(board: B, filter: string): B {
  const short = filter.slice(0, FILTER_MAX_CHARACTERS)
  return { ...board, filter: short, selected: null, isChosen: false }
}

export function grouped<B extends Board>(board: B, group = nextGroup(board.group)): B {
  return noticed({ ...board, group }, group === 'nothing' ? 'not grouped' : `grouped by ${group}`)
}

function nextGroup(group: Grouping): Grouping {
  return GROUPS[(GROUPS.indexOf(group) + 1) % GROUPS.length] ?? 'nothing'
}

/** Hides the session until its state begins anew, and selects its neighbour. */
export function dismissed<B extends Board>(board: B): B {
  const session = selectedOf(board)
  if (!session) return board
  const sessions = sessionsIn(board.list)
  const at = sessions.findIndex(({ id }) => id === session.id)
  const selected = (sessions[at + 1] ?? sessions[at - 1])?.id ?? null
  const gone = new Map(board.dismissed).set(session.id, session.since)
  const rest = { ...board, dismissed: gone, selected }
  return noticed(rest, 'dismissed until its state changes; press X to show it')
}

/** Lists closed sessions one by one, or folds them into one line again. */
export function unfolded<B extends Board>(board: B): B {
  return { ...board, unfolded: !board.unfolded }
}

export function restored<B extends Board>(board: B): B {
  return { ...board, dismissed: new Map() }
}

/** The selected session, if it is unread. */
export function unreadOne<B extends Board>(board: B): { board: B; session?: Session } {
  const session = selectedOf(board)
  if (!session) return { board }
  // SPEC FL200. Its machine keeps what was read.
  if (session.unread && isStale(session)) return { board: noticed(board, UNREACHABLE) }
  return session.unread ? { board, session } : { board: noticed(board, 'already read') }
}
