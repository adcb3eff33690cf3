import { defineConfig } from 'vitest/config'

/** Daemons killed hundreds of times, real clients, real browsers: minutes, two at a time. */
export const SLOW = [
  'test/torture/**',
  'test/faults/**',
  'test/e2e/**',
  'test/lab/**',
  'test/page/**',
  'test/**/*-browser.test.ts',
  'test/**/real-client*.test.ts',
]

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    include: SLOW.map((pattern) => (pattern.endsWith('.ts') ? pattern : `${pattern}/*.test.ts`)),
    // With more at once a real client is late, and so is what is expected of it.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
