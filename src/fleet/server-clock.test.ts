import { expect, it } from 'vitest'
import { ServerClock } from './server-clock.ts'

it('[FL43] small corrections are made at most once a second, a clock that was set at once', () => {
  const clock = new ServerClock()
  const at = (mono: number, aheadMs = 0) => ({ mono, wall: mono + aheadMs })
  clock.add(0, 5_000)
  expect(clock.hasMoved(at(5_000))).toBe(true)
  clock.add(0, 4_000)
  expect(clock.hasMoved(at(5_900))).toBe(false)
  expect(clock.hasMoved(at(6_000))).toBe(true)
  expect(clock.hasMoved(at(7_000, 200))).toBe(false)
  expect(clock.hasMoved(at(6_100, 2_100))).toBe(true)
})
