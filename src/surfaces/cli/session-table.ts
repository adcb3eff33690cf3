import type { Session } from '../../protocol/session.ts'
import { FOLDED_MIN, foldClosed } from '../../view/board/rows.ts'
import { GLYPHS } from '../../view/glyphs.ts'
import { timeOfDay } from '../../view/loop.ts'
import { inAttention } from '../../view/order.ts'
import { plain } from '../../view/session.ts'
import { prefixOf, type Shape, shapeOf } from '../../view/shape.ts'
import { figuresOf, summaryOf } from '../../view/summary.ts'
import type { Paint } from './paint.ts'

/** All sessions as lines of text, most urgent first. */
export function drawFleet(
  sessions: readonly Session[],
  now: number,
  columns: number,
  paint: Paint,
  { all = false } = {},
): string[] {
  // SPEC VW27.
  const { rows, closed } = foldClosed(inAttention(sessions), null, (session) => session)
  const isFolded = !all && closed.length >= FOLDED_MIN
  const listed = isFolded ? rows : [...rows, ...closed]
  const shapes = listed.map((session) => ({
    ...shapeOf(session, now, timeOfDay),
    before: prefixOf(session, timeOfDay),
  }))
  // SPEC CM24. If nothing is cut, a column is as wide as its longest name.
  const longest = Math.max(NAME_COLUMNS, ...shapes.map(({ name }) => [...name].length))
  const wide = Number.isFinite(columns) ? NAME_COLUMNS : longest
  const lines = shapes.map((shape) => line(shape, columns, wide, paint))
  const folded = `   ${GLYPHS.emoji.closed} ${closed.length} closed   vigil status --all lists them`
  return [summary(sessions, paint), '', ...lines, ...(isFolded ? [paint('dim', folded)] : [])]
}

/** Rare states, listed only if a session has them. */
const RARE = ['stuck', 'starting', 'unknown', 'unreachable']

function summary(sessions: readonly Session[], paint: Paint): string {
  const parts = figuresOf(summaryOf(sessions))
    .filter(({ word, count }) => count > 0 || !RARE.includes(word))
    .map(({ glyph, count, word, colour }) => paint(colour, `${glyph} ${count} ${word}`))
  return `${paint('bold', 'vigil')}  ${parts.join('   ')}`
}

const NAME_COLUMNS = 14

type Line = Shape & { readonly before: string }

function line(shape: Line, columns: number, wide: number, paint: Paint): string {
  const { mark, glyph, word, colour, before } = shape
  const name = plain(shape.name, wide).padEnd(wide)
  const state = `${glyph} ${word}`.padEnd(26)
  const room = Math.max(0, columns - 56 - before.length)
  const what = paint('dim', plain(shape.what, room))
  return ` ${mark} ${name} ${paint(colour, state)} ${shape.age.padStart(6)}   ${before}${what}`
}
