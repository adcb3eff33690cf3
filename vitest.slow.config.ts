import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/run/long-first.ts'
import { filesOf, SLOW_SET, type TestSet } from './test/run/sets.ts'

/** Also for what `npm run verify` runs besides. */
export function slowTests(set: TestSet) {
  const { clients, others } = filesOf(set)
  return {
    globalSetup: ['test/support/browser-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    sequence: { sequencer: LongFirst },
    projects: [
      // Daemons, browsers and the clock are waited for half of the time.
      group(0, 'without clients', others, 3),
      // A daemon finds every agent of the machine: real clients run when no page is looked at.
      // With more of them at once a client is late, and so is what is expected of it.
      group(1, 'clients', clients, 2),
    ],
  }
}

function group(groupOrder: number, name: string, include: string[], maxWorkers: number) {
  return { extends: true as const, test: { name, include, maxWorkers, sequence: { groupOrder } } }
}

/** The slow part of `npm test`. */
export default defineConfig({ test: slowTests(SLOW_SET) })
