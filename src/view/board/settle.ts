import { isLookedAt } from './after-event.ts'
import type { Board } from './board.ts'
import { type BoardRow, keptVisible, rowsOf, sessionsIn } from './rows.ts'

export interface SettleOptions {
  /** If the user chose nothing, the topmost session is selected. */
  readonly selectsTopmost: boolean
  /** This session stays selected even if it is not in the list. */
  readonly open: string | null
}

/** Derives the list and the selected session from the rest of the board. */
export function settle<B extends Board>(before: Board, after: B, options: SettleOptions): B {
  const isSame =
    LISTED.every((name) => before[name] === after[name]) &&
    keptVisible(before) === keptVisible(after)
  const board = isSame ? after : { ...after, list: rowsOf(after) }
  return board.loading ? board : { ...board, ...selection(before, board, options) }
}

const LISTED = ['sessions', 'order', 'filter', 'group', 'dismissed', 'unfolded'] as const

/**
 * SPEC BD4. The session that the user chose stays selected; if it leaves the list, its neighbour is
 * selected. If the user chose nothing, the topmost session is selected, and stays so while the user
 * looks.
 */
function selection(
  before: Board,
  board: Board,
  { selectsTopmost, open }: SettleOptions,
): Pick<Board, 'selected' | 'isChosen'> {
  const { selected, isChosen } = board
  const isListed = selected !== null && board.list.some((row) => isOf(row, selected))
  if (isChosen && (isListed || selected === open)) return { selected, isChosen }
  if (isChosen && selected !== null) {
    const ids = new Set(sessionsIn(board.list).map(({ id }) => id))
    const near = neighbour(selected, sessionsIn(before.list), ids)
    if (near !== undefined) return { selected: near, isChosen }
  }
  if (!selectsTopmost) return { selected: null, isChosen: false }
  const stays = isListed && isLookedAt(board)
  if (stays) return { selected, isChosen: false }
  const top = board.list.find((row) => row.kind === 'session')
  return { selected: top?.session.id ?? null, isChosen: false }
}

function isOf(row: BoardRow, id: string): boolean {
  return row.kind === 'session' && row.session.id === id
}

/** The session below it, or else above. */
function neighbour(id: string, before: readonly { id: string }[], listed: ReadonlySet<string>) {
  const at = before.findIndex((session) => session.id === id)
  const near = [...before.slice(at + 1), ...before.slice(0, Math.max(0, at)).toReversed()]
  return near.find((session) => listed.has(session.id))?.id
}
