import type { Mutant } from './mutants.ts'

/** What holds the daemon's promises, broken one at a time. */
export const DAEMON_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a report is acknowledged before it is committed',
    file: 'src/daemon/intake.ts',
    find: '    this.#queue.push({ arrivals, saved, learnt })\n',
    replace: '    this.#queue.push({ arrivals, learnt, saved })\n    saved?.()\n',
    test: 'src/daemon/engine.test.ts',
    caughtBy: 'K1',
  },
  {
    breaks: 'a report seen again is learnt again',
    file: 'src/daemon/intake.ts',
    find: '      if (known.has(key)) return\n',
    replace: '',
    test: 'src/daemon/engine.test.ts',
    caughtBy: 'K2',
  },
  {
    breaks: 'what was seen while the log was full is never written',
    file: 'src/daemon/intake.ts',
    find: '      this.#postpone(error as Error)\n',
    replace: '      this.#postpone(error as Error)\n      this.#unsaved = nothing()\n',
    test: 'src/daemon/engine.test.ts',
    caughtBy: 'K3',
  },
  {
    breaks: 'a restart says again what was said before',
    file: 'src/daemon/engine.ts',
    find: 'for (const { verdict } of this.#store.history(id, 1)) this.tracker.remember(verdict)',
    replace: '',
    test: 'src/daemon/engine.test.ts',
    caughtBy: 'K4',
  },
  {
    breaks: 'a log in use can be locked by a second daemon',
    file: 'src/daemon/lock.ts',
    find: 'BEGIN EXCLUSIVE',
    replace: 'BEGIN DEFERRED',
    test: 'src/daemon/lock.test.ts',
    caughtBy: 'K6',
  },
  {
    breaks: 'a clock set back makes all that follows old news',
    file: 'src/core/tracker.ts',
    find: '    if (step !== undefined) this.#step(step, touched)\n',
    replace: '',
    test: 'src/core/tracker.test.ts',
    caughtBy: 'M8',
  },
  {
    breaks: 'an id that was told and lost is given again',
    file: 'src/daemon/feed.ts',
    find: 'Math.max(log.lastChangeId(), now)',
    replace: 'log.lastChangeId()',
    test: 'src/daemon/feed.test.ts',
    caughtBy: 'D9',
  },
]
