import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { anySettings } from '../../test/support/any-settings.ts'
import { BLOCK_CAP, pluginEntries } from '../agents/claude/entries.ts'
import { commandsOf, handlerFor, knownEvents } from '../agents/claude/events.ts'
import { addEntries, stripEntries } from './json-entries.ts'
import { addHooks, stripHooks } from './json-hooks.ts'

const HOOK = '/v/hooks/vigil-hook'
const WANTED = [BLOCK_CAP, ...pluginEntries('/v/plugin')]
const read = (text: string) =>
  parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true }) as Record<string, object>

const add = (text: string, wanted = WANTED) => addEntries({ text, hollow: {} }, wanted, 's')

describe('entries beside the hooks', () => {
  it.each([
    ['nothing', '{}'],
    ['nothing, spread', '{\n}\n'],
    ['another', '{\n    "model": "opus"\n}'],
    ['one of the same kind', '{"env": {"A": "1"}, "enabledPlugins": {"a@b": false}}'],
    ['empty ones', '{\n  "env": { },\n  "enabledPlugins": {\n  }\n}\n'],
    ['comments', '{\n  "env": {\n    "A": "1" // mine\n  } // all\n}\n'],
  ])('[I6][I7] beside %s: they are there, and go again', (_, text) => {
    const { text: after, hollow, added } = add(text)
    expect(added).toEqual(WANTED)
    expect(read(after).env).toMatchObject({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1000' })
    expect(read(after).enabledPlugins).toMatchObject({ 'vigil@vigil': true })
    expect(stripEntries(after, added, hollow, 's')).toBe(text)
  })

  it('[LP40] one of the user’s own stays, whatever it says', () => {
    const text = '{"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20"}}'
    const { text: after, added } = add(text, [BLOCK_CAP])
    expect({ after, added }).toEqual({ after: text, added: [] })
    expect(stripEntries(text, [BLOCK_CAP], {}, 's')).toBe(text)
  })

  it('[LP41] a plugin that its user has switched off goes all the same', () => {
    const { text, hollow, added } = add('{}')
    const off = text.replace('"vigil@vigil": true', '"vigil@vigil": false')
    expect(off).not.toBe(text)
    expect(stripEntries(off, added, hollow, 's')).toBe('{}')
  })

  it('[I5] a place of another shape is refused', () => {
    expect(() => add('{\n  "env": ["A"]\n}')).toThrow('s:2:10: "env": expected an object')
  })
})

it('[I6][I7] any file at all: hooks and entries are added, and it comes back', () => {
  const events = knownEvents('2.1.325')
  const wanted = new Map(events.map((event) => [event, handlerFor(event, HOOK, '2.1.325')]))
  fc.assert(
    fc.property(anySettings, (text) => {
      const { added, ...after } = addEntries(addHooks(text, wanted, 's'), WANTED, 's')
      const { env, enabledPlugins } = read(after.text)
      expect(env).toHaveProperty(BLOCK_CAP.key)
      expect(enabledPlugins).toHaveProperty('vigil@vigil', true)
      const stripped = stripHooks(after.text, new Set(commandsOf(HOOK)), after.hollow, 's')
      expect(stripEntries(stripped, added, after.hollow, 's')).toBe(text)
    }),
    { numRuns: 300 },
  )
})
