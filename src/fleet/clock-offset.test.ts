import { expect, it } from 'vitest'
import { ClockOffset } from './clock-offset.ts'

function offsetAfter(samples: readonly number[], everyMs = 5_000): number | undefined {
  const offset = new ClockOffset()
  for (const [i, sample] of samples.entries()) offset.add(sample, i * everyMs)
  return offset.ms
}

it('[FL44] the smallest sample counts: the others waited longer', () => {
  expect(offsetAfter([])).toBeUndefined()
  expect(offsetAfter([3_600_040, 3_600_003, 3_600_900])).toBe(3_600_003)
})

it('[FL44] a clock that was set forward counts at once', () => {
  expect(offsetAfter([5, 7, -3_600_000])).toBe(-3_600_000)
})

it('[FL44] a clock that was set back counts at the third heartbeat, a delay does not', () => {
  expect(offsetAfter([5, 7, 3_600_009, 3_600_004])).toBe(5)
  expect(offsetAfter([5, 7, 3_600_009, 3_600_004, 3_600_006])).toBe(3_600_004)
  expect(offsetAfter([5, 9_000, 8_000, 6, 9_000, 8_000])).toBe(5)
})

it('[FL44] a sample older than ten minutes does not count: clocks drift', () => {
  expect(offsetAfter([5, ...Array.from({ length: 119 }, () => 45)])).toBe(5)
  expect(offsetAfter([5, ...Array.from({ length: 121 }, () => 45)])).toBe(45)
})
