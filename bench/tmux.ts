/**
 * `npm run bench:tmux [-- NAME…] [--json]`: how soon tmux shows a turn's end, and what it costs
 * while everything scrolls. Each against its limit, within one run.
 */
import { renames } from './tmux/renames.ts'
import { scrolling } from './tmux/scrolling.ts'
import { watching } from './tmux/watching.ts'

interface Bench {
  readonly name: string
  readonly limit: string
  readonly run: () => Promise<Record<string, number>>
  readonly holds: (figures: Record<string, number>) => boolean
}

const at = (figures: Record<string, number>, name: string) => figures[name] ?? Number.NaN

const BENCHES: readonly Bench[] = [
  {
    name: 'renames',
    limit: '50 windows: median ≤ 30 ms, p99 ≤ 150 ms',
    run: renames,
    holds: (figures) =>
      at(figures, 'medianMs') <= 30 &&
      at(figures, 'p99Ms') <= 150 &&
      at(figures, 'renamed') === at(figures, 'turns'),
  },
  {
    name: 'scrolling',
    limit: '50 windows of output: tmux costs < 1 % of a core',
    run: scrolling,
    holds: (figures) => at(figures, 'addedPercent') < 1,
  },
  {
    name: 'watching',
    limit: '20 windows of output, one of them watched: < 8 % of a core; a line within 120 ms',
    run: watching,
    holds: (figures) =>
      at(figures, 'watchedPercent') < 8 &&
      at(figures, 'unattachedPercent') < 8 &&
      at(figures, 'attachedMs') <= 120,
  },
]

const json = process.argv.includes('--json')
const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'))
const results: Record<string, Record<string, number>> = {}
let missed = 0
for (const { name, limit, run, holds } of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const figures = await run()
  results[name] = figures
  if (!holds(figures)) missed += 1
  if (json) continue
  const shown = Object.entries(figures).map(([what, value]) => `${what} ${rounded(value)}`)
  const verdict = holds(figures) ? 'holds ' : 'MISSED'
  process.stdout.write(`${name.padEnd(9)} ${verdict} ${limit}\n          ${shown.join(', ')}\n`)
}
if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
process.exitCode = missed > 0 ? 1 : 0

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3)
}
