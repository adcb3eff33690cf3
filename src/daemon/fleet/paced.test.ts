import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Paced } from './paced.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('[FL172] runs at once, then at most every 100 ms, and the last time asked is not lost', () => {
  let runs = 0
  const paced = new Paced(() => {
    runs += 1
  }, 100)
  paced.ask()
  expect(runs).toBe(1)
  for (let ms = 0; ms < 1_000; ms += 5) {
    paced.ask()
    vi.advanceTimersByTime(5)
  }
  expect(runs).toBeLessThanOrEqual(11)
  const before = runs
  paced.ask()
  vi.advanceTimersByTime(100)
  expect(runs).toBe(before + 1)
  vi.advanceTimersByTime(1_000)
  expect(runs).toBe(before + 1)
  paced.ask()
  expect(runs).toBe(before + 2)
})
