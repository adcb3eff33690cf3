import { defineConfig } from 'vitest/config'
import { VERIFY_SET } from './test/run/sets.ts'
import slow from './vitest.slow.config.ts'

const { include, exclude } = VERIFY_SET

/** What `npm run verify` runs besides `npm test`. */
export default defineConfig({
  test: { ...slow.test, include, exclude, env: { VIGIL_VERIFY: '1' } },
})
