import { expect, it } from 'vitest'
import { contentOf } from './content.ts'

it('[PG15] a command is shown with what it is for', () => {
  expect(contentOf({ input: { command: 'npm test', description: 'Runs tests' } })).toEqual({
    is: 'command',
    command: 'npm test',
    about: 'Runs tests',
  })
})

it.each([
  [{ file_path: '/a', old_string: 'x', new_string: 'y' }, [{ before: 'x', after: 'y' }]],
  [{ file_path: '/a', content: 'all' }, [{ before: '', after: 'all' }]],
  [{ file_path: '/a', old_string: 'x', new_string: '' }, [{ before: 'x', after: '' }]],
  [
    { file_path: '/a', edits: [{ old_string: 'x', new_string: 'y' }, 5, null] },
    [{ before: 'x', after: 'y' }],
  ],
  [{ notebook_path: '/a', new_source: 'y' }, [{ before: '', after: 'y' }]],
])('[PG15] a change is shown as one: %j', (input, edits) => {
  expect(contentOf({ input })).toEqual({ is: 'change', path: '/a', edits })
})

it.each([
  [
    { url: 'https://example.org', depth: 2 },
    [
      ['url', 'https://example.org'],
      ['depth', '2'],
    ],
  ],
  ['words', [['input', 'words']]],
  [null, [['input', 'null']]],
  [undefined, [['input', '']]],
  [{ file_path: '/only' }, [['file_path', '/only']]],
])('[PG15] anything else is shown field by field: %j', (input, fields) => {
  expect(contentOf({ input })).toEqual({ is: 'fields', fields })
})
