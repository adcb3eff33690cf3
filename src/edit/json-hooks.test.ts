import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { anySettings } from '../../test/support/any-settings.ts'
import { commandsOf, handlerFor, knownEvents } from '../agents/claude/events.ts'
import { addHooks, type EventHandlers, stripHooks } from './json-hooks.ts'

const HOOK = '/home/ada/.local/share/vigil/hooks/vigil-hook'
const OWN = new Set(commandsOf(HOOK))
const foreign = { hooks: [{ type: 'command', command: 'notify-send done' }] }

function wantedFor(version?: string): EventHandlers {
  return new Map(knownEvents(version).map((event) => [event, handlerFor(event, HOOK, version)]))
}

function add(text: string, wanted = wantedFor()) {
  return addHooks(text, wanted, 'settings.json')
}

function strip(text: string, hollow = {}) {
  return stripHooks(text, OWN, hollow, 'settings.json')
}

const pretty = (value: unknown, unit: string | number = 2) => JSON.stringify(value, null, unit)

const FILES: [string, string][] = [
  ['empty object', '{}'],
  ['empty object, spread', '{\n}\n'],
  ['no hooks', `${pretty({ model: 'opus', permissions: { allow: ['Bash(ls)'] } })}\n`],
  ['no newline at the end', pretty({ model: 'opus' })],
  ['tabs', pretty({ model: 'opus', env: { A: '1' } }, '\t')],
  ['four blanks', pretty({ model: 'opus', hooks: { Stop: [foreign] } }, 4)],
  ['CRLF', `${pretty({ model: 'opus', hooks: { Stop: [foreign] } })}\n`.replaceAll('\n', '\r\n')],
  ['one line', '{"model":"opus","hooks":{"Stop":[{"hooks":[]}]}}'],
  ['one line, spaced', '{ "model": "opus", "hooks": { } }'],
  ['byte order mark', `\uFEFF${pretty({ model: 'opus' })}`],
  ['empty hooks', pretty({ hooks: {}, model: 'opus' })],
  ['empty hooks, spread', '{\n  "hooks": {\n  }\n}\n'],
  ['empty event', pretty({ hooks: { Stop: [], PreToolUse: [foreign] } })],
  ['empty event, spaced', '{\n  "hooks": { "Stop": [ ] }\n}\n'],
  ['foreign hooks', pretty({ hooks: { Stop: [foreign, foreign], PreToolUse: [foreign] } })],
  ['hooks first', pretty({ hooks: { SessionEnd: [foreign], Custom: [foreign] }, model: 'opus' })],
  ['comments', '// mine\n{\n  /* a */ "model": "opus" // why\n  // last word\n}\n// end\n'],
  [
    'comments in empty places',
    '{\n  "hooks": {\n    // none yet\n    "Stop": [ /* none */ ]\n  }\n}',
  ],
  [
    'trailing commas',
    '{\n  "model": "opus", // why\n  "hooks": { "Stop": [{"hooks":[],},], },\n}\n',
  ],
  ['comma on a line of its own', '{ "a": 1\n, "hooks": { "Stop": [ {}\n,] }\n, }'],
  ['a comment that looks like the end of one', '{ "model": "opus" // see */\n}'],
]

describe('hooks in a settings file', () => {
  it.each(FILES)('[I6] %s: every event is there, and all that was there before', (_, text) => {
    const wanted = wantedFor('2.1.325')
    const before = parse(text) as { hooks?: Record<string, unknown[]> }
    const after = parse(add(text, wanted).text) as { hooks: Record<string, unknown[]> }
    const groups = [...wanted].map(([event, handler]) => {
      return [event, [...(before.hooks?.[event] ?? []), { hooks: [handler] }]]
    })
    expect(after).toEqual({
      ...before,
      hooks: { ...before.hooks, ...Object.fromEntries(groups) },
    })
  })

  it.each(FILES)('[I7] %s: taking them out gives back every byte', (_, text) => {
    const { text: added, hollow } = add(text)
    expect(added).not.toBe(text)
    expect(strip(added, hollow)).toBe(text)
  })

  it('[I6] looks as if its user had written it', () => {
    const wanted: EventHandlers = new Map([['Stop', handlerFor('Stop', '/h', '2.1.325')]])
    const group = { hooks: [{ type: 'command', command: '/h', args: ['answer'], timeout: 630 }] }
    expect(add('{}\n', wanted).text).toBe(`${pretty({ hooks: { Stop: [group] } })}\n`)
    for (const unit of [2, 4, '\t']) {
      const before = { model: 'opus', hooks: { Stop: [foreign], PreToolUse: [foreign] } }
      const after = { ...before, hooks: { ...before.hooks, Stop: [foreign, group] } }
      expect(add(pretty(before, unit), wanted).text).toBe(pretty(after, unit))
    }
  })

  it('[I6] a comment stays with what it is about', () => {
    const { text } = add('{\n  "model": "opus" // the best\n  // the end\n}\n')
    expect(text).toMatch(/^\{\n {2}"model": "opus", \/\/ the best\n {2}"hooks": \{\n/)
    expect(text).toMatch(/\n {2}\}\n {2}\/\/ the end\n\}\n$/)
  })

  it.each([
    ['{"hooks": []}', '1:11', 'array'],
    ['{\n  "hooks": {\n    "Stop": "x"\n  }\n}', '3:13', 'string'],
    ['{"hooks": {"Stop": {}}}', '1:20', 'object'],
    ['[]', '1:1', 'array'],
    ['{"a": 1', '1:8', 'close brace expected'],
    ['\uFEFF{\r\n  "a": 1\r\n  "b": 2\r\n}', '3:3', 'comma expected'],
    ['nonsense', '1:1', 'invalid symbol'],
  ])('[I5] %j is refused with its place', (text, place, what) => {
    expect(() => add(text)).toThrow(`settings.json:${place}: `)
    expect(() => add(text)).toThrow(what)
  })

  it('[I5] is not thrown off by a file nested too deeply', () => {
    expect(() => add(`{"a":${'['.repeat(1e5)}`)).toThrow(/settings\.json/)
  })
})

describe('a file that was edited since', () => {
  const installed = add(`${pretty({ model: 'opus' })}\n`)

  it('[I7] what the client or its user wrote meanwhile stays', () => {
    const edited = installed.text.replace('"opus"', '"haiku"').replace('{', '{\n  "added": [1, 2],')
    const expected = '{\n  "added": [1, 2],\n  "model": "haiku"\n}\n'
    expect(strip(edited, installed.hollow)).toBe(expected)
  })

  it('[I7] a hook put into vigil’s own event, or group, stays', () => {
    const value = parse(installed.text)
    value.hooks.Stop.push(foreign)
    value.hooks.SessionEnd.unshift(foreign)
    value.hooks.PreToolUse[0].hooks.push(foreign.hooks[0])
    const hooks = { SessionEnd: [foreign], PreToolUse: [foreign], Stop: [foreign] }
    expect(strip(pretty(value))).toBe(pretty({ model: 'opus', hooks }))
  })

  it('[I7] laid out anew by the client, it comes out as the client writes it', () => {
    const added = add('{"model":"opus","hooks":{"Stop":[{"hooks":[]}]}}')
    const expected = pretty({ model: 'opus', hooks: { Stop: [{ hooks: [] }] } })
    expect(strip(pretty(parse(added.text)), added.hollow)).toBe(expected)
  })

  it('[I7] hooks that only look like vigil’s stay', () => {
    const other = { hooks: [{ type: 'command', command: `${HOOK}-of-mine` }] }
    const text = pretty({ hooks: { Stop: [other, 'x', { hooks: 'x' }], Odd: 1 } })
    expect(strip(text)).toBe(text)
  })
})

it('[I6][I7] any file at all: all of it stays, hooks are added, and it comes back', () => {
  fc.assert(
    fc.property(anySettings, fc.constantFrom('2.0.50', '2.1.325'), (text, version) => {
      const { text: added, hollow } = add(text, wantedFor(version))
      const after = parse(added.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
      for (const [event, handler] of wantedFor(version))
        expect(after.hooks[event].at(-1)).toEqual({ hooks: [handler] })
      expect(strip(added, hollow)).toBe(text)
      expect(add(strip(added, hollow), wantedFor(version)).text).toBe(added)
    }),
    { numRuns: 200 },
  )
})
