import { markUnseen } from '../../core/unseen.ts'
import type { Colour } from '../../view/session.ts'
import { fitted, widthOf } from './text.ts'

/** A run of text with one style. */
export interface StyledText {
  readonly text: string
  readonly colour?: Colour
  readonly bold?: boolean
  readonly dim?: boolean
  /** Part of the selected row. */
  readonly selected?: boolean
}

export type TerminalLine = readonly StyledText[]

/** One line at its place on the terminal; the rest of its width is blank. */
export interface Strip {
  readonly row: number
  readonly column: number
  readonly width: number
  readonly line: TerminalLine
}

/** The whole terminal. */
export interface TerminalPicture {
  readonly columns: number
  readonly rows: number
  readonly strips: readonly Strip[]
}

/** Lines below each other; those without text are blank. */
export function block(
  lines: readonly TerminalLine[],
  place: { row: number; column: number; width: number; height: number },
): readonly Strip[] {
  const { row, column, width, height } = place
  return Array.from({ length: Math.max(0, height) }, (_, i) => ({
    row: row + i,
    column,
    width,
    line: cutLine(lines[i] ?? [], width),
  }))
}

/** SPEC OS10. No line is wider than its place, and no character in it acts on the terminal. */
function cutLine(line: TerminalLine, columns: number): TerminalLine {
  const cut: StyledText[] = []
  let room = columns
  for (const given of line) {
    const text = markUnseen(given.text)
    const span = text === given.text ? given : { ...given, text }
    const width = widthOf(span.text)
    if (width <= room) cut.push(span)
    else if (room > 0) cut.push({ ...span, text: fitted(span.text, room) })
    room -= width
    if (room <= 0) break
  }
  return cut
}

export interface Redrawn {
  /** Nothing on the terminal can be reused: it is cleared first. */
  readonly whole: boolean
  readonly strips: readonly Strip[]
}

/** What to draw to get from `before` to `after`. */
export function redrawn(before: TerminalPicture | undefined, after: TerminalPicture): Redrawn {
  if (!before || !sameFrame(before, after)) return { whole: true, strips: after.strips }
  const strips = after.strips.filter(
    (strip, i) => !sameLine(strip.line, before.strips[i]?.line ?? []),
  )
  return { whole: false, strips }
}

function sameFrame(a: TerminalPicture, b: TerminalPicture): boolean {
  const same = a.columns === b.columns && a.rows === b.rows && a.strips.length === b.strips.length
  return same && a.strips.every((strip, i) => samePlace(strip, b.strips[i]))
}

function samePlace(a: Strip, b: Strip | undefined): boolean {
  return b !== undefined && a.row === b.row && a.column === b.column && a.width === b.width
}

function sameLine(a: TerminalLine, b: TerminalLine): boolean {
  return a.length === b.length && a.every((span, i) => sameSpan(span, b[i]))
}

function sameSpan(a: StyledText, b: StyledText | undefined): boolean {
  if (a.text !== b?.text || a.colour !== b.colour || a.selected !== b.selected) return false
  return a.bold === b.bold && a.dim === b.dim
}
