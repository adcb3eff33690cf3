import { describe, expect, it } from 'vitest'
import { widthOf } from '../tui/text.ts'
import { pagesOf } from './paged.ts'

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

describe('[SH6] what is shown before it can be allowed', () => {
  it('is one page as it is where it has room, and else pages with every line of it', () => {
    expect(pagesOf(lines(23), { columns: 80, rows: 24 })).toEqual([lines(23)])
    const pages = pagesOf(lines(200), { columns: 80, rows: 24 })
    expect(pages.map(({ length }) => length)).toEqual([...Array(8).fill(23), 16])
    expect(pages.flat()).toEqual(lines(200))
  })

  it.each([
    ['a long line', 'x'.repeat(5_000)],
    ['letters of two columns', '漢'.repeat(2_000)],
    ['letters of many parts', `${'e\u0301\u0302'.repeat(500)} ${'👩‍👩‍👧‍👦'.repeat(200)}`],
  ])('has no row that the terminal would break, whole: %s', (_, long) => {
    const size = { columns: 30, rows: 10 }
    const pages = pagesOf(['a', long, 'b'], size)
    expect(pages.flat().join('')).toBe(`a${long}b`)
    expect(Math.max(...pages.map(({ length }) => length))).toBe(9)
    expect(Math.max(...pages.flat().map(widthOf))).toBeLessThan(30)
  })

  it('has room on any terminal', () => {
    expect(pagesOf(lines(3), { columns: 1, rows: 1 }).flat()).toEqual(lines(3))
  })
})
