/**
 * `npm run bench:tmux [-- NAME…] [--json]`: how soon tmux shows a turn's end, and what it costs
 * while all panes scroll. Each against its limit, within one run.
 */
import { at, measure } from './limits.ts'
import { renames } from './tmux/renames.ts'
import { scrolling } from './tmux/scrolling.ts'
import { watching } from './tmux/watching.ts'

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
  {
    name: 'watching',
    limit: '20 windows of output, one of them watched: < 8 % of a core; a line within 120 ms',
    run: watching,
    holds: (figures) =>
      at(figures, 'watchedPercent') < 8 &&
      at(figures, 'unattachedPercent') < 8 &&
      at(figures, 'attachedMs') <= 120,
  },
])
