/**
 * `npm run bench:fleet [-- NAME…] [--json]`: what a fleet costs, beside one machine in the same
 * run. `FLEET_IDLE_S`: how long the idle fleet is watched; `FLEET_MACHINES`: of the large one.
 */
import { delay } from './fleet/delay.ts'
import { idle } from './fleet/idle.ts'
import { size } from './fleet/size.ts'
import { at, measure } from './limits.ts'

await measure([
  {
    name: 'delay',
    limit: 'than on the machine itself: median ≤ 10 ms, p99 ≤ 60 ms more',
    run: delay,
    holds: (figures) =>
      at(figures, 'moreMedianMs') <= 10 &&
      at(figures, 'moreP99Ms') <= 60 &&
      at(figures, 'toldHere') >= at(figures, 'reports') * 0.99 &&
      at(figures, 'toldThere') >= at(figures, 'reports') * 0.99,
  },
  {
    name: 'size',
    limit: '1,000 machines, 30,000 sessions: shown in 5 s; 1,000 changes/s: the view < 15 %',
    run: size,
    holds: (figures) =>
      at(figures, 'completeMs') <= 5_000 &&
      at(figures, 'drawnMs') <= 5_000 &&
      at(figures, 'viewPercent') < 15 &&
      at(figures, 'framesPerSecond') <= 30 &&
      at(figures, 'keyP99Ms') <= 50 &&
      at(figures, 'changesPerSecond') >= 950,
  },
  {
    name: 'idle',
    limit: 'than in no fleet: ≤ 0.2 % of a core, ≤ 15 MB more; a message every 5 s a machine',
    run: idle,
    holds: (figures) =>
      at(figures, 'morePercent') <= 0.2 &&
      at(figures, 'moreMb') <= 15 &&
      at(figures, 'leastSent') >= at(figures, 'beats') - 1 &&
      at(figures, 'mostSent') <= at(figures, 'beats') + 1,
  },
])
