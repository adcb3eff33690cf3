import { defineConfig } from 'vitest/config'
import { VERIFY_SET } from './test/run/sets.ts'
import { slowTests } from './vitest.slow.config.ts'

/** What `npm run verify` runs besides `npm test`. */
export default defineConfig({ test: { ...slowTests(VERIFY_SET), env: { VIGIL_VERIFY: '1' } } })
