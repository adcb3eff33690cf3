/**
 * `npm run bench:tmux [-- NAME…] [--json]`: how soon tmux shows a turn's end, and what it costs
 * while everything scrolls. Each against its limit, within one run.
 */
import { at, measure } from './limits.ts'
import { renames } from './tmux/renames.ts'
import { scrolling } from './tmux/scrolling.ts'

await measure([
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
])
