/** Where the parts are on a terminal of this size. */
export interface Geometry {
  readonly list: Place
  readonly details: Place | null
  /** The rule above or beside the details. */
  readonly rule: Place | null
  readonly foot: number
  readonly width: number
}

interface Place {
  readonly row: number
  readonly column: number
  readonly width: number
  readonly height: number
}

/** From this width on the details are beside the list. */
const BESIDE_MIN_COLUMNS = 140
/** The list gets a little more than half, because its lines are long. */
const LIST_SHARE = 0.58
/** Below this height there is only the list. */
const DETAILS_MIN_ROWS = 16
const DETAILS_SHARE = 0.42
const DETAILS_MAX_ROWS = 14
/** The summary and a blank line above, a blank line and the keys below. */
const HEAD_ROWS = 2
const FOOT_ROWS = 2

export function geometryOf(columns: number, rows: number): Geometry {
  // The last column stays free: a letter there makes some terminals wrap.
  const width = Math.max(1, columns - 1)
  const foot = Math.max(0, rows - 1)
  const middle = Math.max(1, rows - HEAD_ROWS - FOOT_ROWS)
  const all = { row: HEAD_ROWS, column: 0, width, height: middle }
  if (columns >= BESIDE_MIN_COLUMNS) return { ...beside(all), foot, width }
  if (rows >= DETAILS_MIN_ROWS) return { ...below(all), foot, width }
  return { list: all, details: null, rule: null, foot, width }
}

/** Details below the list that take this many of its rows. */
export function grown(geometry: Geometry, by: number): Geometry {
  const { list, rule, details } = geometry
  if (by <= 0 || !rule || !details || rule.width === 1) return geometry
  return {
    ...geometry,
    list: { ...list, height: list.height - by },
    rule: { ...rule, row: rule.row - by },
    details: { ...details, row: details.row - by, height: details.height + by },
  }
}

function beside(all: Place) {
  const listWidth = Math.floor(all.width * LIST_SHARE)
  const column = listWidth + 4
  return {
    list: { ...all, width: listWidth },
    rule: { ...all, column: listWidth + 1, width: 1 },
    details: { ...all, column, width: all.width - column },
  }
}

function below(all: Place) {
  const height = Math.min(DETAILS_MAX_ROWS, Math.floor(all.height * DETAILS_SHARE))
  const listHeight = all.height - height - 1
  const row = all.row + listHeight
  return {
    list: { ...all, height: listHeight },
    rule: { ...all, row, height: 1 },
    details: { ...all, row: row + 1, column: 1, width: all.width - 1, height },
  }
}
