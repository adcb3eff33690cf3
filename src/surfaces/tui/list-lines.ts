import type { BoardRow } from '../../view/board/rows.ts'
import { GLYPHS } from '../../view/glyphs.ts'
import { timeOfDay } from '../../view/loop.ts'
import { briefWordsOf } from '../../view/session.ts'
import { isQuiet, type Shape, shapeOf } from '../../view/shape.ts'
import type { TerminalLine } from './picture.ts'
import { filled, fitted, widthOf } from './text.ts'

export interface RowLook {
  /** 1 to 9 for the first visible sessions. */
  readonly number: number | undefined
  readonly selected: boolean
  readonly now: number
}

/** One line of the list. */
export function rowLine(row: BoardRow, look: RowLook, width: number): TerminalLine {
  const line = lineOf(row, look, width)
  if (!look.selected) return line
  // The highlight reaches the edge.
  const used = line.reduce((sum, { text }) => sum + widthOf(text), 0)
  const rest = { text: ' '.repeat(Math.max(0, width - used)) }
  return [...line, rest].map((span) => ({ ...span, selected: true }))
}

function lineOf(row: BoardRow, look: RowLook, width: number): TerminalLine {
  if (row.kind === 'group') return groupLine(row, width)
  if (row.kind === 'closed') return closedLine(row)
  const shape = shapeOf(row.session, look.now, timeOfDay)
  const quiet = isQuiet(shape)
  const columns = columnsFor(width)
  const word = columns.brief ? briefWordsOf(row.session) : shape.word
  const more = columns.more ? moreOf(shape) : ''
  const rest = width - HEAD_COLUMNS - columns.name - columns.word - AGE_COLUMNS - widthOf(more) - 4
  return [
    { text: look.selected ? '▌' : ' ', colour: shape.colour },
    { text: `${look.number ?? ' '} `, dim: true },
    { text: `${shape.glyph} `, colour: shape.colour },
    ...nameSpans(shape, columns.name, look.selected, quiet),
    { text: ` ${filled(word, columns.word)} `, colour: shape.colour, dim: quiet },
    { text: shape.age.padStart(AGE_COLUMNS), dim: true },
    { text: `  ${filled(whatOf(shape, columns.more), rest)}`, dim: !look.selected },
    { text: more, dim: true },
  ]
}

/** The mark of the selected row, the number and the glyph, with blanks in between. */
const HEAD_COLUMNS = 5
const AGE_COLUMNS = 6

/** Fixed for a width, so that nothing moves sideways when sessions come and go. */
function columnsFor(width: number) {
  if (width < 70) return { name: 12, word: 15, more: false, brief: true }
  if (width < 100) return { name: 17, word: 22, more: false, brief: false }
  return { name: 24, word: 22, more: true, brief: false }
}

function nameSpans(shape: Shape, width: number, selected: boolean, quiet: boolean): TerminalLine {
  const name = fitted(shape.name, width - 2)
  const where = shape.where.startsWith(shape.name)
    ? shape.where.slice(shape.name.length)
    : ` ${shape.where}`
  const room = width - 2 - widthOf(name)
  return [
    { text: `${shape.mark} `, colour: shape.colour },
    { text: name, bold: selected || shape.needs, dim: quiet && !selected },
    { text: filled(where, room), dim: true },
  ]
}

/** Without room at the end, these come first. */
function whatOf({ what, machine, detached, loop }: Shape, more: boolean): string {
  const before = more ? [machine] : [machine, detached, loop]
  return [...before.filter((part) => part !== null), what].join(' · ')
}

/** At the right edge. */
function moreOf({ detached, loop, tasks, context }: Shape): string {
  const words = [detached, loop, tasks, context].filter((part) => part !== null).join('  ')
  return words === '' ? '' : `  ${fitted(words, MORE_MAX_COLUMNS)}`
}

const MORE_MAX_COLUMNS = 34

function groupLine(
  { name, count }: Extract<BoardRow, { kind: 'group' }>,
  width: number,
): TerminalLine {
  return [
    { text: ' ' },
    { text: fitted(name, Math.max(1, width - 12)), bold: true },
    { text: `  ${count}`, dim: true },
  ]
}

function closedLine({ count, isOpen }: Extract<BoardRow, { kind: 'closed' }>): TerminalLine {
  return [
    { text: `   ${GLYPHS.emoji.closed} ${count} closed   `, dim: true },
    { text: 'c', bold: true },
    { text: isOpen ? ' folds them' : ' lists them', dim: true },
  ]
}
