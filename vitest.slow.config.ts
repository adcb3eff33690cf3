import { defineConfig } from 'vitest/config'
import { SLOW_SET } from './test/run/sets.ts'

/** The slow part of `npm test`. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/browser-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    include: SLOW_SET.include,
    exclude: SLOW_SET.exclude,
    // With more at once a real client is late, and so is what is expected of it.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
