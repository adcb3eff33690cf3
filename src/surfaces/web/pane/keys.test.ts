import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KEY_NAMES } from '../../../protocol/constants.ts'
import { keysIn } from './keys.ts'

it('[PA16] what a terminal makes of keys is those keys again', () => {
  expect(keysIn('hello ☕')).toEqual([{ text: 'hello ☕' }])
  expect(keysIn('a\r\x7f\t\x1b')).toEqual([
    { text: 'a' },
    { key: 'Enter' },
    { key: 'BSpace' },
    { key: 'Tab' },
    { key: 'Escape' },
  ])
  const names = (data: string) => keysIn(data).map((one) => ('key' in one ? one.key : one))
  expect(names('\x1b[A\x1bOB\x1b[C\x1b[D')).toEqual(['Up', 'Down', 'Right', 'Left'])
  expect(names('\x1b[1;5D\x1b[Z\x1b[3~\x1b[H')).toEqual(['C-Left', 'BTab', 'DC', 'Home'])
  expect(names('\x03\x12\x1bb\x1b\r\x1b\x7f')).toEqual(['C-c', 'C-r', 'M-b', 'M-Enter', 'M-BSpace'])
})

it.each([
  ['where the cursor is', '\x1b[24;80R'],
  ['what it is', '\x1b[?1;2c'],
  ['a colour', '\x1b]11;rgb:0/0/0\x1b\\'],
  ['a string of the device', '\x1bP1$r0m\x1b\\'],
  ['the end of a paste', '\x1b[201~'],
  ['nothing', '\x00\x9b'],
])('[PA16] an answer of the terminal is no key: %s', (_, data) => {
  expect(keysIn(data)).toEqual([])
})

it('[PA16] whatever comes, it is keys that the daemon knows, and letters', () => {
  const known = new Set<string>(KEY_NAMES)
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\x1b', '\x1b[', '\x1bO', 'A'),
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      for (const one of keysIn(parts.join(''))) {
        if ('key' in one) expect(known).toContain(one.key)
        else if ('text' in one) expect(one.text).toMatch(/^\P{Cc}+$/u)
      }
    }),
  )
})
