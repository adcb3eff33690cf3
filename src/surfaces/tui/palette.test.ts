import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FLEET, viewOf } from '../../../test/support/view.ts'
import { pictureOf } from './layout.ts'
import { paletteOf } from './palette.ts'
import { widthOf } from './text.ts'

const ATTRIBUTES = '\u001b[?62;22c'
const background = (rgb: string) => `\u001b]11;rgb:${rgb}\u001b\\`

/** A terminal that answers so, and the input that is left to read. */
async function asked(answer: string) {
  const keys = new PassThrough()
  const stdin = Object.assign(keys, { isTTY: true, setRawMode: () => {} })
  const stdout = { write: () => keys.write(answer) }
  const palette = await paletteOf({ stdin: stdin as unknown as NodeJS.ReadStream, stdout } as never)
  return { isLight: palette.colours.yellow !== 'yellow', left: String(keys.read() ?? '') }
}

describe('the background of a terminal', () => {
  it.each([
    ['white', background('ffff/ffff/ffff'), true],
    ['paper, in two digits', background('fd/f6/e3'), true],
    ['black', background('0000/0000/0000'), false],
    ['deep blue', background('0000/0000/ffff'), false],
    ['not told', '', false],
  ])('[TU27] that is %s is known', async (_, answer, isLight) => {
    expect(await asked(`${answer}${ATTRIBUTES}`)).toEqual({ isLight, left: '' })
  })

  it('[TU27] leaves what is typed meanwhile to be read', async () => {
    const answer = `j${background('ffff/ffff/ffff')}k${ATTRIBUTES}q`
    expect(await asked(answer)).toEqual({ isLight: true, left: 'jkq' })
  })

  it('[TU27] is dark where nothing is answered, and not waited for', async () => {
    expect(await asked('q')).toEqual({ isLight: false, left: 'q' })
  })
})

it('[TU27] the selected row is highlighted over its whole width, and no other', () => {
  const state = viewOf(FLEET, 100, 30)
  const rows = pictureOf(state).strips.filter(({ line }) => line.some(({ selected }) => selected))
  expect(rows).toHaveLength(1)
  const [{ line, width } = { line: [], width: 0 }] = rows
  expect(line.every(({ selected }) => selected)).toBe(true)
  expect(line.reduce((sum, { text }) => sum + widthOf(text), 0)).toBe(width)
})
