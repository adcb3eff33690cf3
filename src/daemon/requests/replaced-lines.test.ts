import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinear } from '../../../test/support/growth.ts'
import { layoutOf } from '../../agents/index.ts'
import { fileChangeIn, replacedLines } from './replaced-lines.ts'

const changeOf = (tool: string, input: object) =>
  fileChangeIn(layoutOf('claude', { tool, input }), input)

function linesOf(content: string, tool: string, input: object) {
  const change = changeOf(tool, { file_path: '/f', ...input })
  return change && replacedLines(content, change.replacements)
}

const FILE = 'one\ntwo\nthree\ntwo\nfour\n'

describe('[SH15] the line at which a replaced text begins', () => {
  it('is the one line where it stands', () => {
    expect(linesOf(FILE, 'Edit', { old_string: 'three', new_string: '3' })).toEqual({
      new_string: 3,
    })
    expect(linesOf(FILE, 'Edit', { old_string: 'ree\ntwo\nf', new_string: '' })).toEqual({
      new_string: 3,
    })
    expect(linesOf('a\r\nb\r\nc', 'Edit', { old_string: 'b\nc', new_string: 'x' })).toEqual({
      new_string: 2,
    })
  })

  it('is none where the text is missing, or stands there twice', () => {
    expect(linesOf(FILE, 'Edit', { old_string: 'five', new_string: '5' })).toEqual({})
    expect(linesOf(FILE, 'Edit', { old_string: 'two', new_string: '2' })).toEqual({})
    expect(linesOf('aaa', 'Edit', { old_string: 'aa', new_string: '2' })).toEqual({})
  })

  it('is the first one where the text is replaced everywhere', () => {
    const all = { old_string: 'two', new_string: '2', replace_all: true }
    expect(linesOf(FILE, 'Edit', all)).toEqual({ new_string: 2 })
  })

  it('is that in the file as the changes before it leave it', () => {
    const edits = [
      { old_string: 'one', new_string: 'zero\none' },
      { old_string: 'three', new_string: '3' },
      { old_string: 'five', new_string: '5' },
      { old_string: 'four', new_string: '4' },
    ]
    expect(linesOf(FILE, 'MultiEdit', { edits })).toEqual({
      'edits.0.new_string': 1,
      'edits.1.new_string': 4,
    })
  })

  it('is none of a tool that replaces nothing, or of any other input', () => {
    expect(changeOf('Write', { file_path: '/f', content: 'x' })).toBe(undefined)
    expect(changeOf('Bash', { command: 'x', old_string: 'a', new_string: 'b' })).toBe(undefined)
    expect(changeOf('Edit', { old_string: 'a', new_string: 'b' })).toBe(undefined)
    fc.assert(
      fc.property(fc.constantFrom('Edit', 'MultiEdit'), fc.object(), (tool, input) => {
        changeOf(tool, { file_path: '/f', ...input })
      }),
    )
  })

  it('is found in time that grows with the length of both texts', () => {
    const find = (text: string) => {
      const old_string = `b${text.slice(text.length / 2)}`
      linesOf(text, 'Edit', { old_string, new_string: '' })
    }
    expect(isLinear(find, 'a'.repeat(60_000), 'a'.repeat(600_000))).toBe(true)
  })
})
