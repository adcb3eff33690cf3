import type { Paint } from '../../src/surfaces/cli/paint.ts'
import type { Sums } from '../score/sums.ts'
import { msText, percentText } from './words.ts'

/** One client: how accurate vigil was with it, and what it lacks. */
export interface Row {
  readonly client: string
  readonly sums: Sums
  readonly lacks: readonly string[]
  /** Conversations that could not be played to their end. */
  readonly failed: readonly string[]
  readonly skipped: number
}

const HEADS = [
  ...['client', 'runs', 'live', 'balanced', 'longest wrong', 'delay'],
  ...['all sources', '− hook', '− transcript', '− registry', '− screen'],
]

const LEFT_OUT = ['hook', 'transcript', 'registry', 'screen']

export function rowsAsTable(rows: readonly Row[], paint: Paint): string {
  const cells = rows.map(cellsOf)
  const width = (index: number) =>
    Math.max(...[HEADS, ...cells].map((row) => (row[index] ?? '').length))
  const line = (row: readonly string[]) =>
    row.map((cell, index) => cell.padStart(width(index))).join('  ')
  const body = rows.flatMap((row, index) => [
    line(cells[index] ?? []),
    ...notesOf(row).map((note) => paint('dim', `  ${note}`)),
  ])
  return `${[paint('bold', line(HEADS)), ...body].join('\n')}\n`
}

export function rowsAsMarkdown(rows: readonly Row[]): string {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |\n`
  const head = [...HEADS, 'what it lacks']
  const body = rows.map((row) => line([...cellsOf(row), notesOf(row).join('; ') || 'nothing']))
  return [line(head), line(head.map(() => '---')), ...body].join('')
}

export function rowsAsJson(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

function cellsOf({ client, sums }: Row): string[] {
  const { runs, failed, live, core, without } = sums
  return [
    client,
    String(runs - failed),
    live ? percentText(live.rightPercent) : '–',
    live ? percentText(live.balancedPercent) : '–',
    msText(live?.worstMs),
    msText(live?.delayMedianMs),
    core ? percentText(core.rightPercent) : '–',
    ...LEFT_OUT.map((source) => {
      const sum = without[source]
      return sum ? percentText(sum.rightPercent) : '–'
    }),
  ]
}

function notesOf({ lacks, failed, skipped }: Row): string[] {
  return [
    ...lacks,
    ...(skipped > 0 ? [`${skipped} conversations need a newer client`] : []),
    ...(failed.length > 0 ? [`not played to the end: ${failed.join(', ')}`] : []),
  ]
}
