import { defineConfig } from 'vitest/config'
import { filesOf, SLOW_SET, type TestSet } from './test/run/sets.ts'

/** Also for what `npm run verify` runs besides. */
export function slowTests(set: TestSet) {
  const { clients, others } = filesOf(set)
  return {
    globalSetup: ['test/support/browser-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    // With more at once a real client is late, and so is what is expected of it.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A daemon finds every agent of the machine: real clients run when no page is looked at.
    projects: [group(0, 'without clients', others), group(1, 'clients', clients)],
  }
}

function group(groupOrder: number, name: string, include: string[]) {
  return { extends: true as const, test: { name, include, sequence: { groupOrder } } }
}

/** The slow part of `npm test`. */
export default defineConfig({ test: slowTests(SLOW_SET) })
