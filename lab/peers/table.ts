import { type Paint, paintFor } from '../../src/surfaces/cli/paint.ts'
import type { Absent } from './peer.ts'
import type { Row } from './score.ts'

const STATES = ['working', 'waiting', 'idle', 'closed'] as const

interface Column {
  readonly title: string
  readonly cell: (row: Row) => string
}

const COLUMNS: readonly Column[] = [
  { title: 'right %', cell: ({ sum }) => sum.rightPercent.toFixed(1) },
  { title: 'balanced %', cell: ({ sum }) => sum.balancedPercent.toFixed(1) },
  ...STATES.map((state) => ({
    title: state,
    cell: ({ sum }: Row) => orNone(sum.recallPercent[state], 0),
  })),
  { title: 'error', cell: ({ errorPercent }) => orNone(errorPercent, 0) },
  { title: 'longest wrong', cell: ({ sum }) => `${(sum.worstMs / 1000).toFixed(1)} s` },
  { title: 'final right', cell: ({ sum }) => `${sum.finalRight}/${sum.runs}` },
  { title: 'delay', cell: ({ delayMedianMs }) => `${orNone(delayMedianMs, 0)} ms` },
  { title: 'never shown', cell: ({ neverShown, changes }) => `${neverShown}/${changes}` },
]

function orNone(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits)
}

/** The rows, best first; systems that could not run are below, with the reason. */
export function tableOf(
  rows: readonly Row[],
  absent: readonly Absent[],
  paint: Paint = paintFor(process.stdout),
): string {
  const width = Math.max(...[...rows, ...absent].map(({ name }) => name.length), 6)
  const cells = rows.map((row) => COLUMNS.map(({ cell }) => cell(row)))
  const widths = COLUMNS.map(({ title }, i) =>
    Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)),
  )
  const line = (name: string, row: readonly string[], last: string) =>
    [name.padEnd(width), ...row.map((cell, i) => cell.padStart(widths[i] ?? 0)), last].join('  ')
  const titles = COLUMNS.map(({ title }) => title)
  const lines = [paint('bold', line('system', titles, 'how it knows'))]
  for (const [i, row] of rows.entries()) {
    const text = line(row.name, cells[i] ?? [], row.knows)
    lines.push(row.name.startsWith('vigil') ? paint('green', text) : text)
  }
  for (const { name, absent: why } of absent)
    lines.push(paint('yellow', `${name.padEnd(width)}  not run: ${why}`))
  return `${lines.join('\n')}\n`
}

export function sorted(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => b.sum.balancedPercent - a.sum.balancedPercent)
}
