import { afterAll, beforeAll, expect, it } from 'vitest'
import { cpuMsOf } from '../support/cpu.ts'
import { crowd, listings } from '../support/crowd.ts'
import { DaemonHome, type Running } from '../support/daemon.ts'

const MB = 1024 * 1024
const home = new DaemonHome()
let daemon: Running

beforeAll(async () => {
  daemon = await home.start()
})
afterAll(() => home.end())

it('[BR4] a thousand requests of 250 KB, and four listings of them at once', async () => {
  await crowd(home, 1_000, 250_000)
  const before = cpuMsOf(daemon.pid)
  const { bytes, count, whole } = await listings(home, 4)
  expect(count).toBe(1_000)
  expect(whole).toBeGreaterThanOrEqual(25)
  expect(bytes).toBeLessThanOrEqual(16 * MB)
  // Measured 1.2 s and 0.4 GB; without a bound it was 52 s and 3.3 GB.
  expect(cpuMsOf(daemon.pid) - before).toBeLessThan(20_000)
  expect(daemon.memoryBytes()).toBeLessThan(1_000 * MB)
})
