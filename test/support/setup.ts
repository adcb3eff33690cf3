import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { CODE_CACHE } from './code-cache.ts'

Object.assign(process.env, CODE_CACHE)
// Commands that tests start write into a pipe, however the tests were started.
delete process.env.FORCE_COLOR

/** One seed for every property, so that CI is the same each time; VIGIL_SEED=n tries another. */
fc.configureGlobal({ seed: Number(process.env.VIGIL_SEED ?? 2026) })

// The next file of tests runs in the same process.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
