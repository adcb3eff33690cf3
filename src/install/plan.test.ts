import { expect, it } from 'vitest'
import type { Setup } from '../agents/setup.ts'
import { withoutVigil } from './plan.ts'

const own = { hook: '/h', earlier: [], scripts: '/s', copies: '/c' }
const place = { home: '/home', real: '/home', version: undefined, memory: {}, own, sha256: String }
const noted = {
  files: { a: { before: '{ "as" : "it was" }', after: '{"a":1}' } },
  memory: {},
  made: [],
}
const setup = { files: ['a'], remove: (_, text) => text.replace('VIGIL', '') } as Pick<
  Setup,
  'files' | 'remove'
> as Setup
const without = (text: string | undefined, known = noted as never) =>
  withoutVigil(setup, { a: text }, place, known).a

it('[I7] a file gets the bytes from before while it is what install wrote', () => {
  expect(without('{"a":1}')).toBe('{ "as" : "it was" }')
  expect(without('{"a":1} ')).toBe('{"a":1} ')
  const made = { ...noted, files: { a: { before: null, after: '{"a":1}' } } }
  expect(without('{"a":1}', made as never)).toBeUndefined()
})

it('[I7] an edited file loses only vigil’s part, and one that is bare without it goes', () => {
  expect(without('mine VIGIL')).toBe('mine ')
  const made = { ...noted, files: { a: { before: null, after: 'x' } } }
  for (const text of ['{ VIGIL }\n', ' VIGIL\n'])
    expect(without(text, made as never)).toBeUndefined()
  expect(without('{ "b": 1 VIGIL }', made as never)).toBe('{ "b": 1  }')
})
