import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/run/long-first.ts'
import { REPLACING, SEEN_BY_ALL, SLOW } from './test/run/sets.ts'

const ALL = ['{src,lab,test}/**/*.test.ts']

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    // Half of them wait for a process or the clock: on two cores three keep both of them busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Long runs (mutants) start vitest themselves; nothing here may need more than a minute.
    testTimeout: 60_000,
    // A daemon, a browser and sometimes a build of the page, on a machine that does other things.
    hookTimeout: 60_000,
    sequence: { sequencer: LongFirst },
    projects: [
      // One process for many files: a new one each takes a tenth of the time of all tests.
      group(0, 'unit', ALL, [...REPLACING, ...SEEN_BY_ALL], false),
      group(1, 'replacing', REPLACING),
      group(1, 'seen by all', SEEN_BY_ALL),
    ],
  },
})

function group(
  groupOrder: number,
  name: string,
  include: string[],
  exclude: string[] = [],
  isolate = true,
) {
  const files = { include, exclude: [...SLOW, ...exclude] }
  return { extends: true as const, test: { name, ...files, isolate, sequence: { groupOrder } } }
}
