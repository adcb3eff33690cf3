import { defineConfig } from 'vitest/config'
import { VERIFY_SET } from './test/run/sets.ts'
import { SLOW_TESTS } from './vitest.slow.config.ts'

const { include, exclude } = VERIFY_SET

/** What `npm run verify` runs besides `npm test`. */
export default defineConfig({
  test: { ...SLOW_TESTS, include, exclude, env: { VIGIL_VERIFY: '1' } },
})
