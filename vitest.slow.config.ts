import { defineConfig } from 'vitest/config'
import { CLIENT, SLOW_SET } from './test/run/sets.ts'

/** Also for what `npm run verify` runs besides. */
export const SLOW_TESTS = {
  globalSetup: ['test/support/browser-setup.ts'],
  setupFiles: ['test/support/setup.ts'],
  // With more at once a real client is late, and so is what is expected of it.
  maxWorkers: 2,
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

const { include, exclude } = SLOW_SET

/** The slow part of `npm test`. */
export default defineConfig({
  test: {
    ...SLOW_TESTS,
    // A daemon finds every agent of the machine: real clients run when no page is looked at.
    projects: [
      group(0, 'without clients', include, [...exclude, ...CLIENT]),
      group(1, 'clients', CLIENT, exclude),
    ],
  },
})

function group(groupOrder: number, name: string, include: string[], exclude: string[]) {
  return { extends: true as const, test: { name, include, exclude, sequence: { groupOrder } } }
}
