import { expect, it } from 'vitest'
import { ClockWatch } from './clock-watch.ts'

/** Checks once a second; each step moves the wall clock and the monotonic clock by this much. */
function told(steps: readonly (readonly [wallMs: number, monotonicMs: number])[]): string[] {
  let [wall, monotonic] = [1_000_000, 500]
  const events: string[] = []
  const clocks = { now: () => wall, monotonicMs: () => monotonic }
  const watch = new ClockWatch(1_000, clocks, {
    onWake: (ms) => events.push(`woke ${ms}`),
    onStepBack: (ms) => events.push(`back ${ms}`),
  })
  for (const [wallMs, monotonicMs] of steps) {
    wall += wallMs
    monotonic += monotonicMs
    watch.look()
  }
  return events
}

it('[S16] a machine that slept woke, whether its monotonic clock slept too or not', () => {
  expect(told([[3_601_000, 1_000]])).toEqual(['woke 3600000'])
  expect(told([[3_601_000, 3_601_000]])).toEqual(['woke 3600000'])
})

it('[S16] a clock set forward counts as waking, a small step does not', () => {
  expect(told([[7_000, 1_000]])).toEqual(['woke 6000'])
  expect(
    told([
      [6_000, 1_000],
      [6_000, 6_000],
    ]),
  ).toEqual([])
})

it('[S16] a clock set back is reported with the amount, each time', () => {
  expect(
    told([
      [-3_599_000, 1_000],
      [1_000, 1_000],
      [0, 2_000],
    ]),
  ).toEqual(['back 3600000', 'back 2000'])
  expect(told([[0, 1_000]])).toEqual([])
})
