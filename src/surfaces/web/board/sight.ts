import type { BoardRow } from '../../../view/board/rows.ts'

/** Heights in pixels; the style has the same. On a phone a row is as high as a thumb is wide. */
export interface Heights {
  readonly session: number
  readonly group: number
  readonly closed: number
}

export const WIDE: Heights = { session: 56, group: 34, closed: 34 }
export const NARROW: Heights = { session: 68, group: 36, closed: 44 }

/** Rows beyond the edges that are drawn too, so that scrolling shows no blanks. */
const BEYOND_ROWS = 6

export interface RowsInSight {
  readonly total: number
  /** The place of each drawn row. */
  readonly drawn: readonly { readonly row: BoardRow; readonly at: number; readonly top: number }[]
  /** The first row that is completely visible, and how many are. */
  readonly from: number
  readonly count: number
}

/** SPEC PG8. Draws only visible rows, and the selected row, which may have the focus. */
export function sightOf(
  rows: readonly BoardRow[],
  heights: Heights,
  scrolled: number,
  height: number,
  selected: string | null,
): RowsInSight {
  const drawn: { row: BoardRow; at: number; top: number }[] = []
  const room = BEYOND_ROWS * heights.session
  let [top, from, count] = [0, -1, 0]
  for (const [at, row] of rows.entries()) {
    const bottom = top + heights[row.kind]
    const isChosen = row.kind === 'session' && row.session.id === selected
    if (isChosen || (bottom > scrolled - room && top < scrolled + height + room))
      drawn.push({ row, at, top })
    if (top >= scrolled - 1 && bottom <= scrolled + height + 1) {
      if (from < 0) from = at
      count += 1
    }
    top = bottom
  }
  return { total: top, drawn, from: Math.max(0, from), count: Math.max(1, count) }
}

/** How far to scroll to make a row visible with the heading of its group; null if it is. */
export function scrollTo(
  rows: readonly BoardRow[],
  heights: Heights,
  scrolled: number,
  height: number,
  id: string,
): number | null {
  let top = 0
  for (const [at, row] of rows.entries()) {
    const bottom = top + heights[row.kind]
    if (row.kind === 'session' && row.session.id === id) {
      const above = rows[at - 1]?.kind === 'group' ? top - heights.group : top
      if (above < scrolled) return above
      return bottom > scrolled + height ? bottom - height : null
    }
    top = bottom
  }
  return null
}
