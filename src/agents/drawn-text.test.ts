import { describe, expect, it } from 'vitest'
import { isDrawn, outdented, withoutBars } from './drawn-text.ts'

const WIDTH = 40
const LONG = 'echo one two three four five six seven eight nine ten'
const BROKEN = ['echo one two three four five six', 'seven eight nine ten']

describe('a text on the screen', () => {
  it('[AN33] is this one if it is so to the letter', () => {
    expect(isDrawn('rm -rf ./build', ['rm -rf ./build'], WIDTH)).toBe(true)
    for (const other of ['rm -rf /build', 'rm -rf ./buil', 'rm -rf ./builds', 'rm  -rf ./build'])
      expect(isDrawn(other, ['rm -rf ./build'], WIDTH)).toBe(false)
    expect(isDrawn('', [], WIDTH)).toBe(false)
  })

  it('[AN33] is broken where its lines end, or where the next word has no room', () => {
    expect(isDrawn('a\n\n  b', ['a', '', '  b'], WIDTH)).toBe(true)
    expect(isDrawn('a\n  b', ['a', '', '  b'], WIDTH)).toBe(false)
    expect(isDrawn(LONG, BROKEN, WIDTH)).toBe(true)
    expect(isDrawn(LONG, ['echo one two', 'three four five six seven eight nine ten'], WIDTH)).toBe(
      false,
    )
    expect(isDrawn('rm -rf ./a b', ['rm -rf ./a', 'b'], WIDTH)).toBe(false)
  })

  it('[AN33] may keep the blank at which it is broken, as older clients do', () => {
    expect(isDrawn(LONG, [BROKEN[0] ?? '', ` ${BROKEN[1]}`], WIDTH)).toBe(true)
    const twice = LONG.replace(' seven', '  seven')
    expect(isDrawn(twice, [BROKEN[0] ?? '', BROKEN[1] ?? ''], WIDTH)).toBe(false)
  })

  it('[AN33] is not known where a word is broken: it could be two', () => {
    const word = 'x'.repeat(60)
    expect(isDrawn(word, [word.slice(0, 36), word.slice(36)], WIDTH)).toBe(false)
    expect(isDrawn(`${'x'.repeat(36)} y`, ['x'.repeat(36), 'y'], WIDTH)).toBe(true)
  })

  it.each([['a\tb'], ['a\u200bb'], ['a \nb'], ['a '], ['a\u001b[1mb'], ['a\rb']])(
    '[AN33] is not known where it holds what is not seen: %j',
    (text) => {
      expect(isDrawn(text, text.split('\n'), WIDTH)).toBe(false)
      expect(
        isDrawn(
          text,
          text.split('\n').map((line) => line.trimEnd()),
          WIDTH,
        ),
      ).toBe(false)
    },
  )
})

it('[AN33] bars beside a text are none of it, beside all of its lines', () => {
  expect(withoutBars(['│ a', '│', '│   b'])).toEqual(['a', '', '  b'])
  expect(withoutBars(['│ a', 'b'])).toEqual(['│ a', 'b'])
  expect(outdented([' a', '', '   b'], 1)).toEqual(['a', '', '  b'])
  expect(outdented([' a', 'b'], 1)).toBeUndefined()
})
