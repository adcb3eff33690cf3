/**
 * `npm run bench:daemon [-- NAME…] [--json]`: cost and speed of the daemon, each against its limit.
 * Latencies and shares depend on the machine; ratios are measured within one run.
 */

import { backlog } from './daemon/backlog.ts'
import { growth } from './daemon/growth.ts'
import { idle } from './daemon/idle.ts'
import { latency } from './daemon/latency.ts'
import { load } from './daemon/load.ts'
import { memory } from './daemon/memory.ts'
import { status } from './daemon/status.ts'
import { at, measure } from './limits.ts'

await measure([
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
    limit: '1,000 sessions, from the package: ≤ 0.6 % of a core, ≤ 130 MB',
    run: idle,
    holds: (figures) =>
      at(figures, 'cpuPercent') <= 0.6 &&
      at(figures, 'memoryMb') <= 130 &&
      at(figures, 'sessions') === 1_000,
  },
  {
    name: 'memory',
    limit: 'ten sessions, from the package: ≤ 85 MB',
    run: memory,
    holds: (figures) => at(figures, 'memoryMb') <= 85,
  },
  {
    name: 'growth',
    limit: 'a report costs the same among 10,000 sessions',
    run: growth,
    holds: (figures) => at(figures, 'ratio') < 1.5,
  },
])
