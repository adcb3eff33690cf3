import { expect, it } from 'vitest'
import { focusOf, keyNames } from './key-names.ts'

it.each([
  ['j', {}, ['j']],
  ['', { upArrow: true }, ['up']],
  ['', { return: true }, ['enter']],
  ['', { escape: true, meta: true }, ['escape']],
  ['c', { ctrl: true }, ['ctrl-c']],
  ['jjk\r', {}, ['j', 'j', 'k', 'enter']],
  ['', { delete: true }, ['backspace']],
  ['x', { meta: true }, []],
  ['é', {}, ['é']],
  ['\u0001', {}, []],
])('[TU5] the key %j, %o is %j', (input, key, names) => {
  expect(keyNames(input, key)).toEqual(names)
})

it('[TU5] word of the window is no key', () => {
  expect(focusOf('[I')).toBe(true)
  expect(focusOf('[O')).toBe(false)
  expect(focusOf('I')).toBeUndefined()
})
