import { expect, it } from 'vitest'
import { iconOf, titleOf } from './tab-sign.ts'

it('[PG10] the tab tells how many wait', () => {
  expect(titleOf(0, false)).toBe('vigil')
  expect(titleOf(3, false)).toBe('(3) vigil')
  expect(titleOf(3, true)).toBe('… vigil')
})

it('[PG10] so does its sign, in two digits at most', () => {
  const drawn = (count: number, lost = false) => decodeURIComponent(iconOf(count, lost))
  expect(drawn(0)).not.toContain('<text')
  expect(drawn(7)).toContain('>7</text>')
  expect(drawn(250)).toContain('>99+</text>')
  expect(drawn(7, true)).not.toContain('<text')
  expect(drawn(7)).toMatch(/^data:image\/svg\+xml,<svg/)
})
