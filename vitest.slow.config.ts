import { defineConfig } from 'vitest/config'

/** Real daemons killed hundreds of times, real clients in real terminals: minutes, one at a time. */
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
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
