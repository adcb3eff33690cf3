import { expect, it } from 'vitest'
import { Liveness } from './liveness.ts'

const HOUR_MS = 3_600_000

it('[FL160] no heartbeat shows that a machine is there before it replied to this run', () => {
  const liveness = new Liveness()
  expect(liveness.take(5_000, 100)).toBe(true)
  expect(liveness.freshUntil).toBe(Number.NEGATIVE_INFINITY)
  liveness.hear(5_000, 100)
  expect(liveness.freshUntil).toBe(13_100)
  expect(liveness.take(10_000, 5_100)).toBe(false)
  expect(liveness.freshUntil).toBe(18_100)
})

it('[FL160] one that is older or newer than its machine’s clock allows counts for nothing', () => {
  const liveness = new Liveness()
  liveness.hear(HOUR_MS, 0)
  // An hour old, and an hour ahead, by the clock of the machine.
  for (const at of [0, 2 * HOUR_MS]) {
    expect(liveness.take(at, 1_000)).toBe(true)
    expect(liveness.freshUntil).toBe(13_000)
  }
  // The clock was set, and the machine says so when it is asked.
  liveness.hear(2 * HOUR_MS, 2_000)
  expect(liveness.take(2 * HOUR_MS + 5_000, 7_000)).toBe(false)
  expect(liveness.freshUntil).toBe(20_000)
})

it('[FL161] times of the server correct the machine’s own by 3 s at most', () => {
  const liveness = new Liveness()
  expect(liveness.correct(HOUR_MS)).toBe(HOUR_MS)
  liveness.hear(1_000, 5_000)
  expect(liveness.correct(4_500)).toBe(4_500)
  expect(liveness.correct(HOUR_MS)).toBe(4_000)
})
