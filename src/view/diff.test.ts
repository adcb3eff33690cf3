import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu.ts'
import { diffOf } from './diff.ts'

const SIGNS = { same: ' ', add: '+', del: '-', gap: '~' }
const drawn = (before: string, after: string) =>
  diffOf(before, after).map(({ kind, text }) => SIGNS[kind] + text)

describe('[PG14] a change', () => {
  it('shows what goes, what comes, and a little around it', () => {
    expect(drawn('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c'])
    expect(drawn('', 'new\nfile\n')).toEqual(['+new', '+file'])
    expect(drawn('gone', '')).toEqual(['-gone'])
    expect(drawn('same', 'same')).toEqual(['~1 line'])
  })

  it('leaves out long stretches that stay', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`)
    const after = lines.with(10, 'changed').join('\n')
    expect(drawn(lines.join('\n'), after)).toEqual([
      '~7 lines',
      ...[' line 7', ' line 8', ' line 9', '-line 10', '+changed'],
      ...[' line 11', ' line 12', ' line 13', '~6 lines'],
    ])
  })

  it('numbers the lines as they were and as they will be', () => {
    const numbers = diffOf('a\nb\nc', 'a\nx\ny\nc').map(({ before, after }) => [before, after])
    expect(numbers).toEqual([
      [1, 1],
      [2, null],
      [null, 2],
      [null, 3],
      [3, 4],
    ])
  })

  it('sets off what differs within a line', () => {
    const [old, fresh] = diffOf('const limit = 10', 'const limit = 250')
    expect(old?.text.slice(old.from, old.to)).toBe('1')
    expect(fresh?.text.slice(fresh.from, fresh.to)).toBe('25')
    const [whole] = diffOf('abc', 'xyz')
    expect([whole?.from, whole?.to]).toEqual([0, 3])
  })

  it('gives both texts again', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 })
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffOf(before.join('\n'), after.join('\n'))
        fc.pre(lines.every(({ kind }) => kind !== 'gap'))
        const without = (left: string) =>
          lines.filter(({ kind }) => kind !== left).map(({ text }) => text)
        expect(without('add')).toEqual(before)
        expect(without('del')).toEqual(after)
      }),
    )
  })

  it('of texts made to cost time takes little', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `a${at}`).join('\n')
    const after = before.replaceAll('a', 'b')
    expect(cpuMs(() => diffOf(before, after))).toBeLessThan(1_500)
  })
})
