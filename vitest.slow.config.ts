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
      group(0, 'without clients', others),
      // A daemon finds every agent of the machine: real clients run when no page is looked at.
      group(1, 'clients', clients),
    ],
  }
}

/** With three at once on two cores a client or a page is late, and so is what is expected of it. */
const WORKERS = 2

function group(groupOrder: number, name: string, include: string[]) {
  const test = { name, include, maxWorkers: WORKERS, sequence: { groupOrder } }
  return { extends: true as const, test }
}

/** The slow part of `npm test`. */
export default defineConfig({ test: slowTests(SLOW_SET) })
