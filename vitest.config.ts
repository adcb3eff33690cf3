import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SLOW } from './test/run/sets.ts'

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    include: ['{src,lab,test}/**/*.test.ts'],
    exclude: SLOW,
    // Half of them wait for a process or the clock.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Long runs (mutants) start vitest themselves; nothing here may need more than a minute.
    testTimeout: 60_000,
    // A daemon, a browser and sometimes a build of the page, on a machine that does other things.
    hookTimeout: 60_000,
  },
})
