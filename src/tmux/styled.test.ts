import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { styledRows } from './styled.ts'

const ESC = '\x1b'

describe('rows with their colours', () => {
  it('[PA3] each row has the colours that began above it', () => {
    const lines = [`a${ESC}[1;31mb`, 'c', `${ESC}[39md${ESC}[0me`, 'f']
    expect(styledRows(lines)).toEqual([
      `a${ESC}[1;31mb`,
      `${ESC}[1;31mc`,
      `${ESC}[1md${ESC}[0me`,
      'f',
    ])
  })

  it('[PA3] a row has the same bytes whatever the rows above it contain', () => {
    const [, below] = styledRows([`${ESC}[31m${ESC}[1mred`, `${ESC}[0m plain`])
    expect(below).toBe(' plain')
    const [, after] = styledRows([`${ESC}[1m${ESC}[31mred`, 'more'])
    expect(styledRows([`${ESC}[31;1mmore`])).toEqual([after])
  })

  it('[PA3] colours of every kind are kept, and of each kind the last', () => {
    const [, row] = styledRows([
      `${ESC}[38;5;208m${ESC}[48;2;1;2;3m${ESC}[4:3m${ESC}[58:5:9m${ESC}[38;2;9;8;7m${ESC}[97m`,
      'x',
    ])
    expect(row).toBe(`${ESC}[97;48;2;1;2;3;4:3;58:5:9mx`)
    expect(styledRows([`${ESC}[1;2;3;7;9m${ESC}[22;23;27;29m`, 'x'])[1]).toBe('x')
  })

  it('[PA3] letters that stand for lines become lines, as long as they do', () => {
    expect(styledRows(['\x0elqk', 'x x\x0fx'])).toEqual(['┌─┐', '│ │x'])
  })

  it.each([
    ['a title', `${ESC}]0;owned\x07`],
    ['a link', `${ESC}]8;;javascript:alert(1)${ESC}\\`],
    ['the clipboard', `${ESC}]52;c;aGk=\x07`],
    ['a question', `${ESC}[6n${ESC}[c${ESC}[>c`],
    ['a window', `${ESC}[8;1;1t`],
    ['another screen', `${ESC}[?1049h${ESC}[2J`],
    ['a string of the device', `${ESC}P$qm${ESC}\\`],
    ['a reset', `${ESC}c`],
    ['one that does not end', `${ESC}]0;owned`],
    ['half of one', ESC],
    ['single letters', '\x00\x07\x08\r\n\x9b\x9d'],
  ])('[PA3] no sequence but colours is left: %s', (_, sequence) => {
    expect(styledRows([`a${sequence}`, 'b'])).toEqual(['a', 'b'])
  })

  it('[PA3] whatever comes, text and colours are all that is left', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, '\x9b', '\x07', ';', '38', 'm', '2J', '\x0e'),
    )
    fc.assert(
      fc.property(fc.array(fc.array(part).map((parts) => parts.join(''))), (lines) => {
        for (const row of styledRows(lines))
          expect(row.replaceAll(new RegExp(`${ESC}\\[[\\d;:]*m`, 'g'), '')).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})
