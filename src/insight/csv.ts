import { blanked } from '../core/unseen.ts'
import type { InsightTable } from '../protocol/constants.ts'
import type { Insight, Tokens } from '../protocol/insight.ts'

type Cell = string | number | boolean | null

/** SPEC IN11. One table of the figures; times in milliseconds, moments in UTC. */
export function csvOf(insight: Insight, table: InsightTable): string {
  return `${ROWS[table](insight).map(lineOf).join('\r\n')}\r\n`
}

const TOKENS = ['tokens_input', 'tokens_output', 'tokens_cache_read', 'tokens_cache_written']

const ROWS: Readonly<Record<InsightTable, (insight: Insight) => Cell[][]>> = {
  projects: ({ byProject }) => [
    ['project', 'sessions', 'turns', 'worked_ms', 'waited_ms', 'cost_usd', ...TOKENS],
    ...byProject.map(({ project, sessions, turns, workedMs, waitedMs, costUsd, tokens }) => [
      ...[project, sessions, turns, whole(workedMs), whole(waitedMs), costUsd],
      ...tokenCells(tokens),
    ]),
  ],
  days: ({ byDay }) => [
    ['day', 'worked_ms', 'waited_ms', 'cost_usd', ...TOKENS],
    ...byDay.map(({ day, workedMs, waitedMs, costUsd, tokens }) => [
      ...[day, whole(workedMs), whole(waitedMs), costUsd],
      ...tokenCells(tokens),
    ]),
  ],
  hours: ({ byHour }) => [
    ['hour', 'worked_ms', 'waited_ms'],
    ...byHour.map(({ hour, workedMs, waitedMs }) => [hour, whole(workedMs), whole(waitedMs)]),
  ],
  answers: ({ answers }) => [
    ['kind', 'count', 'median_ms', 'p90_ms'],
    ...[{ ...answers, kind: 'all' }, ...answers.byKind].map(({ kind, count, medianMs, p90Ms }) => [
      ...[kind, count, medianMs && whole(medianMs), p90Ms && whole(p90Ms)],
    ]),
  ],
  waits: ({ longestWaits }) => [
    ['session', 'project', 'kind', 'at', 'ms', 'open'],
    ...longestWaits.map(({ session, project, kind, at, ms, open }) => [
      ...[session, project, kind, momentOf(at), whole(ms), open],
    ]),
  ],
}

function tokenCells(tokens: Tokens | null): Cell[] {
  if (tokens === null) return [null, null, null, null]
  return [tokens.input, tokens.output, tokens.cacheRead, tokens.cacheWritten]
}

function whole(ms: number): number {
  return Math.round(ms)
}

function momentOf(at: number): string {
  const ms = Math.floor(at)
  return new Date(ms).toISOString()
}

function lineOf(cells: readonly Cell[]): string {
  return cells.map(cellOf).join(',')
}

/**
 * A spreadsheet evaluates a name that begins like a formula, and any user can name a folder.
 * Quoted, with an apostrophe in front, it is text.
 */
function cellOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const plain = blanked(cell)
  const safe = /^\s*[=+\-@]/.test(plain) ? `'${plain}` : plain
  return /[",]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
