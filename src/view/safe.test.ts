import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, runsOf, spelled } from './safe.ts'

const anyText = fc
  .array(fc.oneof(fc.nat(0x10ffff), fc.integer({ min: 0x2000, max: 0x206f }), fc.nat(0x7f)))
  .map((points) => String.fromCodePoint(...points))

const shown = (text: string) =>
  runsOf(text)
    .map((run) => (run.kind === 'text' ? run.text : `<${run.code}>`))
    .join('')

describe('[PG20] what would not be seen is shown by its number', () => {
  it.each([
    ['rm \u202egpj.exe', 'rm <U+202E>gpj.exe'],
    ['a\u200bb', 'a<U+200B>b'],
    ['\u001b[31mred', '<U+001B>[31mred'],
    ['a\u0000b\u009bc', 'a<U+0000>b<U+009B>c'],
    ['x\u2066y\u2069z', 'x<U+2066>y<U+2069>z'],
    ['tag\u{e0041}', 'tag<U+E0041>'],
    ['\ufeffbom', '<U+FEFF>bom'],
    ['soft\u00adhyphen', 'soft<U+00AD>hyphen'],
    ['\u3164', '<U+3164>'],
    ['ad\ufe0fmin\ufe0e', 'ad<U+FE0F>min<U+FE0E>'],
    ['short\u{1bca0}hand', 'short<U+1BCA0>hand'],
    ['return\rhidden', 'return<U+000D>hidden'],
    ['\ud800 alone', '\ufffd alone'],
  ])('%j: %s', (text, seen) => {
    expect(shown(text)).toBe(seen)
  })

  it.each(['plain words\n\tindented', '👩‍💻 works', '👨🏽‍🚀', '❤️', '1️⃣', 'שלום', 'naïve', '日本語'])(
    'and nothing else is: %s',
    (text) => {
      expect(runsOf(text)).toEqual([{ kind: 'text', text }])
    },
  )

  it('a joiner outside of an emoji is shown', () => {
    expect(shown('pass\u200dword')).toBe('pass<U+200D>word')
  })

  it('of any text nothing is lost, and nothing that acts is left', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const runs = runsOf(text)
        const back = runs.map((run) =>
          run.kind === 'text' ? run.text : String.fromCodePoint(Number(`0x${run.code.slice(2)}`)),
        )
        expect(back.join('')).toBe(text.toWellFormed().replaceAll('\ufdd0', '\ufffd'))
        const words = runs.flatMap((run) => (run.kind === 'text' ? run.text : [])).join('')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(words).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })
})

it('[SH3] on a terminal what joins emoji is shown, too', () => {
  expect(spelled('👩‍💻 ⚠️')).toBe('👩⟨U+200D⟩💻 ⚠️')
})

describe('[PG22] a long text', () => {
  it('is cut, with how much was left out', () => {
    expect(cutText('abcdef', 4)).toEqual({ text: 'abcd', more: 2 })
    expect(cutText('abc', 3)).toEqual({ text: 'abc', more: 0 })
    expect(cutText('x'.repeat(1_000_000), 10)).toEqual({ text: 'x'.repeat(10), more: 999_990 })
  })

  it('is never cut within a character', () => {
    expect(cutText('a👩b', 2)).toEqual({ text: 'a', more: 3 })
  })
})
