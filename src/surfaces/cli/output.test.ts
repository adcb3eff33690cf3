import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { actingIn, HOSTILE, SPELLS } from '../../../test/commands/hostile-names.ts'
import { blanked, escapedJson, markUnseen, stripped } from '../../core/unseen.ts'
import { plain } from '../../view/session.ts'
import { tidy } from '../loop/clean.ts'
import { visible } from '../notify/text.ts'
import { Output, ownSequence } from './output.ts'

/** The end of a terminal or a pipe, and what was written to it. */
function stream(isTTY: boolean) {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  const out = new Output({ write, isTTY, columns: 80 } as unknown as NodeJS.WriteStream)
  return { out, text: () => written.join('') }
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...SPELLS.filter((one) => !one.includes('FORGED')),
        '\n',
        'word',
        ' ',
        '👨🏽‍🚀',
        '⚙️',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('the table of unseen characters', () => {
  it('[OS1] is the same for every surface', () => {
    fc.assert(
      fc.property(text, (any) => {
        for (const shown of [markUnseen(any), blanked(any), plain(any, 500), visible(any)])
          expect(actingIn(shown.replaceAll(/\p{Extended_Pictographic}\S*/gu, ''))).toBeUndefined()
        for (const lines of [stripped(any), tidy(any)])
          expect(
            actingIn(lines.replaceAll(/\p{Extended_Pictographic}\S*|\n/gu, '')),
          ).toBeUndefined()
      }),
      { numRuns: 1_000 },
    )
  })

  it('[OS1] shows each by its number, and leaves what joins an emoji', () => {
    expect(markUnseen('a\u001b[31m\u061c\nb')).toBe('a<U+001B>[31m<U+061C><U+000A>b')
    expect(markUnseen('👨🏽‍🚀 👩‍❤️‍👨 a\u200db ❤\u200d1')).toBe('👨🏽‍🚀 👩‍❤️‍👨 a<U+200D>b ❤<U+200D>1')
    expect(markUnseen('\u{e0041}')).toBe('<U+E0041>')
    expect(plain('a\u061cb\u{e0041}c', 20)).toBe('a b c')
  })

  it('[OS2] JSON keeps its value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), text, (value, key) => {
        const all = { [key]: [value, key] }
        const written = escapedJson(JSON.stringify(all, null, 2))
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(all)))
        expect(actingIn(written)).toBeUndefined()
      }),
    )
  })
})

describe('the output of commands', () => {
  it('[OS4] colours what vigil colours, and nothing that data asks for', () => {
    vi.stubEnv('NO_COLOR', '')
    vi.stubEnv('TERM', 'xterm')
    const { out, text: written } = stream(true)
    out.lines([out.paint('red', 'a\u001b[32mb'), `${ownSequence('38;5;16')}c`])
    expect(written()).toBe('\u001b[31ma<U+001B>[32mb\u001b[0m\n\u001b[38;5;16mc\n')
    vi.unstubAllEnvs()
  })

  it('[OS4] no data can say that it is vigil’s own', () => {
    const { out, text: written } = stream(true)
    const own = ownSequence('31')
    // A mark that was written once is no longer valid.
    out.line(own)
    expect(written()).toBe('\u001b[31m\n')
    out.line('<00000000-0000-0000-0000-000000000000:31>\u001b[31m')
    expect(written()).toContain('<00000000-0000-0000-0000-000000000000:31><U+001B>[31m')
  })

  it('[OS3] one line stays one line, in any way of writing', () => {
    const { out, text: written } = stream(false)
    out.lines([HOSTILE, out.paint('red', HOSTILE)])
    out.jsonLine({ [HOSTILE]: HOSTILE })
    expect(written().trimEnd().split('\n')).toHaveLength(3)
    expect(actingIn(written())).toBeUndefined()
    out.json({ [HOSTILE]: HOSTILE })
    out.text(`a,b\r\n${HOSTILE.replaceAll('\n', '')}\r\n`)
    expect(actingIn(written().replaceAll('\r\n', '\n'))).toBeUndefined()
  })
})
