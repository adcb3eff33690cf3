import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Covered, firstUnseen, withSight } from './covered.ts'

const sightsOf = (...sights: readonly (readonly [number, number])[]) =>
  sights.reduce<Covered>((covered, [from, to]) => withSight(covered, from, to), [])

describe('[SH9] what was in sight', () => {
  it('is whole when every row was, in whatever order', () => {
    expect(firstUnseen(sightsOf([0, 100], [100, 200], [150, 300]), 300)).toBeNull()
    expect(firstUnseen(sightsOf([200, 300], [0, 120], [110, 210]), 300)).toBeNull()
    expect(firstUnseen([], 0)).toBeNull()
  })

  it('is not whole where the middle was jumped over', () => {
    expect(firstUnseen(sightsOf([0, 100], [200, 300]), 300)).toBe(100)
    expect(firstUnseen(sightsOf([100, 300]), 300)).toBe(0)
    expect(firstUnseen(sightsOf([0, 298]), 300)).toBe(298)
    expect(firstUnseen([], 300)).toBe(0)
  })

  it('is as if each row were kept', () => {
    const row = fc.integer({ min: 0, max: 40 })
    const sights = fc.array(fc.tuple(row, row), { maxLength: 12 })
    fc.assert(
      fc.property(sights, (all) => {
        // Ten pixels a row: no edge of one is at that of another by chance.
        const covered = sightsOf(...all.map(([from, to]) => [from * 10, to * 10] as const))
        const isSeen = (at: number) => all.some(([from, to]) => from <= at && at < to)
        const first = Array.from({ length: 40 }, (_, at) => at).find((at) => !isSeen(at))
        expect(firstUnseen(covered, 400)).toBe(first === undefined ? null : first * 10)
      }),
    )
  })
})
