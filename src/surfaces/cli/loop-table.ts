import type { LoopView } from '../../protocol/loop.ts'
import { dollars, type LoopLook, loopLookOf, spanOf, timeOfDay } from '../../view/loop.ts'
import { ageOf, plain, wordsOf } from '../../view/session.ts'
import type { LoopStatusRow } from './loop-status.ts'
import type { Paint } from './paint.ts'

const HOW_MAX_COLUMNS = 34
const LAST_MIN_COLUMNS = 20

/** One line for each loop, most urgent first, each column as wide as needed. */
export function tableOf(
  rows: readonly LoopStatusRow[],
  now: number,
  columns: number,
  paint: Paint,
): string[] {
  const shown = rows
    .map((row) => ({ row, look: loopLook(row) }))
    .toSorted((a, b) => a.look.rank - b.look.rank || a.row.loop.updatedAt - b.row.loop.updatedAt)
  const cells = shown.map(({ row, look }) => [
    nameOfRow(row),
    `${row.loop.iteration}/${row.loop.max}`,
    row.loop.mode,
    plain(look.words, HOW_MAX_COLUMNS),
    ageOf(now - row.loop.startedAt),
    costOf(row.loop),
    timeLeftOf(row.loop, now),
  ])
  const all = [HEADS, ...cells]
  const widths = HEADS.map((_, at) => Math.max(...all.map((line) => [...(line[at] ?? '')].length)))
  const fixed = widths.reduce((sum, width) => sum + width + 2, 0)
  const room = Math.max(LAST_MIN_COLUMNS, columns - fixed)
  const line = (words: readonly string[], colour: (text: string) => string, last: string) =>
    [...words.map((word, at) => pad(word, widths[at] ?? 0, at, colour)), last].join('  ').trimEnd()
  return [
    paint(
      'dim',
      line(HEADS, (text) => text, 'last text'),
    ),
    ...shown.map(({ row, look }, at) =>
      line(
        cells[at] ?? [],
        (text) => paint(look.colour, text),
        paint('dim', plain(row.last, room)),
      ),
    ),
  ]
}

const HEADS = ['name', 'turn', 'mode', 'state', 'since', 'cost', 'left']
const HOW_COLUMN = 3

function pad(word: string, width: number, at: number, colour: (text: string) => string): string {
  const padded = word + ' '.repeat(Math.max(0, width - [...word].length))
  return at === HOW_COLUMN ? colour(padded) : padded
}

export function loopLook(row: LoopStatusRow): LoopLook {
  return loopLookOf(row.loop, waitsOf(row), timeOfDay)
}

/** A dialog holds a loop up, too, and so does an agent that has not received it yet. */
function waitsOf({ loop, session }: LoopStatusRow): string {
  if (session?.state === 'waiting') return wordsOf(session)
  if (session?.state === 'closed') return 'its session is closed'
  return session?.state === 'idle' && loop.iteration === 0 ? 'starts at your next prompt' : ''
}

export function nameOfRow({ loop, session }: LoopStatusRow): string {
  return plain(session ? session.name : loop.session.slice(0, 8), 24)
}

/** `$0.42 of $5.00`, as far as known. */
export function costOf({ spentUsd, budgetUsd }: LoopView): string {
  const spent = spentUsd === null ? '' : dollars(spentUsd)
  return budgetUsd === null ? spent || '–' : `${spent || '?'} of ${dollars(budgetUsd)}`
}

export function timeLeftOf({ deadlineAt, open }: LoopView, now: number): string {
  if (deadlineAt === null || !open) return '–'
  return deadlineAt <= now ? 'none' : spanOf(deadlineAt - now)
}
