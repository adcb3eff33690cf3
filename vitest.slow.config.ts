import { defineConfig } from 'vitest/config'

/** Real daemons killed hundreds of times, real clients in real terminals: minutes, two at a time. */
export const SLOW = [
  'test/torture/**',
  'test/faults/**',
  'test/e2e/**',
  'test/lab/**',
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
