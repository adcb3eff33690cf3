import { describe, expect, it } from 'vitest'
import { nameBytesOf, tmuxQuoted } from './quote.ts'

const shownAs = (shown: string) => Buffer.from(nameBytesOf(shown)).toString('latin1')

describe('quoting for tmux', () => {
  it('[TM1] a word is plain ASCII without anything that tmux would expand', () => {
    const word = tmuxQuoted(`~ $HOME "it's" \\ \n\t 🤖 #{x} ; {}`)
    expect(word).toMatch(/^"[\x20-\x7e]*"$/)
    expect(word.slice(1, -1)).not.toMatch(/[~$"]|\\[^0-3]/)
  })

  it('[TM1] a NUL, which no C string can hold, is left out', () => {
    expect(tmuxQuoted('a\0b')).toBe('"ab"')
  })

  it('[TM2] what tmux shows escaped goes back to the bytes it was', () => {
    expect(shownAs('a\\\\b')).toBe('a\\b')
    expect(shownAs('\\$HOME')).toBe('$HOME')
    expect(shownAs('tab\\there\\n')).toBe('tab\there\n')
    expect(shownAs('\\033[31m')).toBe('\x1b[31m')
    expect(shownAs('a\\377\\351b')).toBe('a\xff\xe9b')
    expect(shownAs('\\\\033')).toBe('\\033')
    expect(shownAs('plain #[x]')).toBe('plain #[x]')
    expect(shownAs('ends in \\')).toBe('ends in \\')
  })
})
