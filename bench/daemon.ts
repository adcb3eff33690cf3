/**
 * `npm run bench:daemon [-- NAME…] [--json]`: what the daemon costs and how fast it is, each
 * against its limit. Latencies and shares depend on the machine; ratios are made within one run.
 */
import { backlog } from './daemon/backlog.ts'
import { growth } from './daemon/growth.ts'
import { idle } from './daemon/idle.ts'
import { latency } from './daemon/latency.ts'
import { load } from './daemon/load.ts'
import { status } from './daemon/status.ts'

interface Bench {
  readonly name: string
  readonly limit: string
  readonly run: () => Promise<Record<string, number>> | Record<string, number>
  readonly holds: (figures: Record<string, number>) => boolean
}

const at = (figures: Record<string, number>, name: string) => figures[name] ?? Number.NaN

const BENCHES: readonly Bench[] = [
  {
    name: 'status',
    limit: '≤ 3 × node -e 0',
    run: status,
    holds: (figures) => at(figures, 'ratio') <= 3,
  },
  {
    name: 'latency',
    limit: 'median ≤ 10 ms, p99 ≤ 50 ms',
    run: latency,
    holds: (figures) =>
      at(figures, 'medianMs') <= 10 &&
      at(figures, 'p99Ms') <= 50 &&
      at(figures, 'told') === at(figures, 'reports'),
  },
  {
    name: 'load',
    limit: '5,000 reports/s, none lost',
    run: load,
    holds: (figures) => at(figures, 'lost') === 0 && at(figures, 'takenPerSecond') >= 4_750,
  },
  {
    name: 'backlog',
    limit: '100,000 files in 30 s',
    run: backlog,
    holds: (figures) =>
      at(figures, 'seconds') <= 30 && at(figures, 'inLog') === at(figures, 'files'),
  },
  {
    name: 'idle',
    limit: '1,000 sessions: < 1 % of a core, < 200 MB',
    run: idle,
    holds: (figures) =>
      at(figures, 'cpuPercent') < 1 &&
      at(figures, 'memoryMb') < 200 &&
      at(figures, 'sessions') === 1_000,
  },
  {
    name: 'growth',
    limit: 'a report costs the same among 10,000 sessions',
    run: growth,
    holds: (figures) => at(figures, 'ratio') < 1.5,
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
  process.stdout.write(`${name.padEnd(8)} ${verdict} ${limit}\n         ${shown.join(', ')}\n`)
}
if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
process.exitCode = missed > 0 ? 1 : 0

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3)
}
