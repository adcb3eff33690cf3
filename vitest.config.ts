import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Long runs (mutants) start vitest themselves; nothing here may need more than a minute.
    testTimeout: 60_000,
  },
})
