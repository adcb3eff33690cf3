import { expect, it } from 'vitest'
import { RunWatch } from './run-watch.ts'

it('[FL48] runs without end cost no more than sixteen', () => {
  const watch = new RunWatch()
  for (let n = 0; n < 1_000; n++) {
    watch.saw(`run ${n}`, n, n)
    expect(watch.size).toBeLessThanOrEqual(16)
  }
  expect(watch.areTwo(1_000)).toBe(false)
  for (let n = 1_000; n < 1_010; n++) watch.saw(n % 2 ? 'one' : 'two', n, n)
  expect(watch.areTwo(1_010)).toBe(true)
})
