import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fields, given, list, numberIn, ownTime, textIn } from './read.ts'

it('[X1] each reader takes its own type and nothing else', () => {
  const values = [undefined, null, true, 0, 5, '', 'a', [], [1], {}, { a: 1 }]
  expect(values.map(textIn)).toEqual(values.map((value) => (value === 'a' ? 'a' : undefined)))
  expect(values.map(numberIn).filter((value) => value !== undefined)).toEqual([0, 5])
  expect(values.filter((value) => list(value) === value)).toEqual([[], [1]])
  expect(values.filter((value) => fields(value) === value)).toEqual([{}, { a: 1 }])
  expect([list({ length: 1 }), fields([1])]).toEqual([[], {}])
})

it('[X1] numbers that are none are not there', () => {
  const { NaN: none, POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number
  for (const value of [none, POSITIVE_INFINITY, NEGATIVE_INFINITY, '5'])
    expect(numberIn(value)).toBeUndefined()
})

it('what is not given is left out', () => {
  expect(given({ a: 1, b: undefined, c: null, d: '' })).toEqual({ a: 1, c: null, d: '' })
  expect(Object.keys(given({ b: undefined }))).toEqual([])
})

it('[X2] an own time is finite and never later than the arrival', () => {
  const values = fc.oneof(fc.anything(), fc.double(), fc.date().map(String))
  fc.assert(
    fc.property(values, fc.integer(), (value, arrived) => {
      const time = ownTime(value, arrived)
      expect(Number.isFinite(time) && time <= arrived).toBe(true)
    }),
  )
  expect(ownTime('1970-01-01T00:00:05.250Z', 9_000)).toBe(5_250)
  expect(ownTime(5_250, 9_000)).toBe(5_250)
})
