import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsIn } from './loop-typed.ts'

describe('what is typed behind /vigil:loop', () => {
  it.each([
    ['mend it', ['--prompt=mend it']],
    [
      `fix it's "quoted" $5 $HOME \`id\` \\ %s`,
      [`--prompt=fix it's "quoted" $5 $HOME \`id\` \\ %s`],
    ],
    ['one\n\ntwo\n', ['--prompt=one\n\ntwo']],
    ['mend it --max 20', ['--max=20', '--prompt=mend it']],
    ['--max 20 mend it', ['--max=20', '--prompt=mend it']],
    ['--max=20 mend it --for 2h', ['--max=20', '--for=2h', '--prompt=mend it']],
    ['mend it --until "npm test" --max 3', ['--until=npm test', '--max=3', '--prompt=mend it']],
    ["mend it --until 'npm test'", ['--until=npm test', '--prompt=mend it']],
    ['mend it --until npm test --max 3', ['--until=npm test', '--max=3', '--prompt=mend it']],
    ['--until "npm test" mend it', ['--until=npm test', '--prompt=mend it']],
    [
      String.raw`mend --until "grep \"a\\b\" x"`,
      [String.raw`--until=grep "a\b" x`, '--prompt=mend'],
    ],
    ['--from tasks.md --max 5', ['--from=tasks.md', '--max=5']],
    ['say what --max does, and --for', ['--prompt=say what --max does, and --for']],
    ['use --max 3 in the docs', ['--prompt=use --max 3 in the docs']],
    ['mend it --unknown 7', ['--prompt=mend it --unknown 7']],
    ['mend it --max ten', ['--max=ten', '--prompt=mend it']],
    ['see x--max 3', ['--prompt=see x--max 3']],
    ['mend it --budget $5', ['--budget=$5', '--prompt=mend it']],
    ['', []],
  ])('[LP43] %j', (typed, words) => {
    expect(argumentsIn(typed)).toEqual(words)
  })

  it('[LP43] any text at all is the task when no option is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = text.trim() ? [`--prompt=${text.trim()}`] : []
        if (!text.includes('--')) expect(argumentsIn(text)).toEqual(words)
      }),
    )
  })

  it('[LP43] a line of options takes no longer than it should', () => {
    const long = 'mend --until x '.repeat(5_000)
    const began = performance.now()
    argumentsIn(long)
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
