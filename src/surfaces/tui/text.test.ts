import { describe, expect, it } from 'vitest'
import { filled, fitted, widthOf, wrapped, wrappedWhole } from './text.ts'

describe('[TU14] text', () => {
  it('is cut to columns and not to characters, and says so', () => {
    expect(fitted('12345', 5)).toBe('12345')
    expect(fitted('123456', 5)).toBe('1234…')
    expect(fitted('文字列', 6)).toBe('文字列')
    expect(fitted('文字列', 5)).toBe('文字…')
    expect(fitted('文字列', 4)).toBe('文…')
    expect(fitted('x', 0)).toBe('')
  })

  it('is not cut within a letter of several parts', () => {
    for (let columns = 1; columns < 12; columns++) {
      const cut = fitted('👩‍👩‍👧👍🏽é👩‍👩‍👧👍🏽', columns)
      expect(widthOf(cut)).toBeLessThanOrEqual(columns)
      expect(cut.replaceAll(/👩‍👩‍👧|👍🏽|é|…/gu, '')).toBe('')
    }
  })

  it('is filled up to its columns', () => {
    expect(filled('文', 4)).toBe('文  ')
    expect(filled('123456', 4)).toBe('123…')
  })

  it('goes on in the next line, behind a word where that can be', () => {
    expect(wrapped('one two three', 8, 9)).toEqual(['one two', 'three'])
    expect(wrapped('one two', 7, 9)).toEqual(['one two'])
    expect(wrapped('abcdefghij', 4, 9)).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrapped('a\nb', 8, 9)).toEqual(['a', 'b'])
  })

  it('says when there is more of it', () => {
    expect(wrapped('a\nb\nc', 8, 2)).toEqual(['a', 'b…'])
    expect(wrapped('abcdefghij', 4, 2)).toEqual(['abcd', 'efg…'])
    for (const line of wrapped('文字列'.repeat(100), 7, 5)) expect(widthOf(line)).toBeLessThan(8)
  })

  it('is harmless', () => {
    expect(fitted('a\u001b[31mb', 20)).toBe('a [31mb')
    expect(wrapped('a\u001b[31mb\tc', 20, 2)).toEqual(['a [31mb  c'])
  })
})

describe('[SH8] a line that is shown whole', () => {
  it.each([
    ['letters of Korean that belong together', '\u1100'.repeat(120)],
    ['marks of Devanagari behind one letter', `\u0915${'\u093e'.repeat(120)}`],
    ['joined emoji', Array(60).fill('\u{1f600}').join('\u200d')],
  ])('has room for each part of one long letter: %s', (_, letter) => {
    const lines = wrappedWhole(`echo ${letter} ; rm -rf ~`, 40)
    expect(lines.join('')).toBe(`echo ${letter} ; rm -rf ~`)
    for (const line of lines) {
      const apart = Array.from(line, widthOf).reduce((sum, width) => sum + width, 0)
      expect(Math.max(apart, widthOf(line))).toBeLessThanOrEqual(40)
    }
  })
})
