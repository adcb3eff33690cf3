import { expect, it } from 'vitest'
import { fenced, headOf, oneLine, roundedSpan, tailOf, usd } from './text.ts'

it('cuts at a length, with a mark, never through a character', () => {
  expect(headOf('abcd', 4)).toBe('abcd')
  expect(headOf('abcde', 4)).toBe('abc…')
  expect(tailOf('abcd', 4)).toBe('abcd')
  expect(tailOf('abcde', 4)).toBe('…cde')
  for (let max = 2; max < 9; max++) {
    for (const cut of [headOf('a😀😀😀😀', max), tailOf('😀😀😀😀a', max)]) {
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(max)
    }
  }
})

it('puts words on one line', () => {
  expect(oneLine(' a\n\tb  c ', 10)).toBe('a b c')
})

it('fences any text', () => {
  expect(fenced('a\n')).toBe('```\na\n```')
  expect(fenced('````\nb')).toBe('`````\n````\nb\n`````')
})

it.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_200_000, '2 h'],
  [7_500_000, '2 h 5 min'],
])('says %i ms as %s', (ms, words) => {
  expect(roundedSpan(ms)).toBe(words)
})

it('says money', () => {
  expect(usd(1.005)).toBe('$1.00')
  expect(usd(12.3)).toBe('$12.30')
})
