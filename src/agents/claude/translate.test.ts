import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Report, SOURCES, type Source } from '../../core/signal.ts'
import { translateClaude } from './translate.ts'

const T = Date.UTC(2026, 0, 5, 9)

/** Names and values that reach the branches of every translator, and some that break naive code. */
const KEYS = (
  'PROTO constructor toString length type subtype message content text id name input status ' +
  'tool_name tool_use_id tool_input tool_calls tool_response questions todos background_tasks ' +
  'agent_id agent_type prompt isMeta isSidechain agentId toolUseResult operation stop_reason ' +
  'timestamp statusUpdatedAt waitingFor compactMetadata model context_window session_id'
).split(' ')
const WORDS = [
  ...['user', 'assistant', 'system', 'queue-operation', 'tool_use', 'tool_result', 'text'],
  ...['busy', 'waiting', 'async_launched', 'completed', 'end_turn', 'dequeue', 'enqueue'],
  ...['Bash', 'AskUserQuestion', 'TodoWrite', 'KillShell', '__proto__', 'toString', ''],
  ...['<task-notification><task-id>x</task-id>', '[Request interrupted by user]'],
]
const EVENTS = [
  ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest'],
  ...['PermissionDenied', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop'],
  ...['StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact'],
  ...['Elicitation', 'ElicitationResult', 'Notification', 'toString', '__proto__', 'Novel'],
]

/** Objects that ordinary code trips over. */
const NASTY: readonly object[] = [
  { toString: 1 },
  { length: 5 },
  { PROTO: null },
  [[]],
  { PROTO: { type: 'user' } },
]

/** JSON from a parser: there `__proto__` is an ordinary key. */
const parsed = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll('"PROTO"', '"__proto__"'))

const raw = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...WORDS),
    fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.constantFrom(...NASTY),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 8 }),
  ),
})).value
const json = raw.map(parsed)

/** An object of a known kind, so that the rest of it is read. */
const anyKeys = fc.record(Object.fromEntries(KEYS.map((key) => [key, raw])), { requiredKeys: [] })
const kinded = (key: string, ...values: string[]) =>
  fc
    .tuple(fc.constantFrom(...values), anyKeys)
    .map(([value, rest]) => ({ ...parsed(rest), [key]: value }))

const payload = fc.oneof(json, { arbitrary: kinded('hook_event_name', ...EVENTS), weight: 4 })
const entry = fc.oneof(json, { arbitrary: kinded('type', ...WORDS.slice(0, 4)), weight: 4 })
const file = fc.oneof(json, kinded('status', 'busy', 'waiting', 'dreaming'))
const time = fc.oneof(
  { arbitrary: fc.constant(T), weight: 4 },
  fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY, -8.64e15, 1e300),
  fc.double(),
)
const fieldsOfAll = fc.record(
  { payload, entry, env: json, file, path: json, text: json, pane: json, session: json },
  { requiredKeys: ['payload', 'entry'] },
)
const fieldsOfSome = fc.record(
  { pid: json, alive: json, start: json, cwd: json, command: json, what: json, key: json },
  { requiredKeys: [] },
)

describe('any report', () => {
  it.each(SOURCES)('[X1] of any JSON gives signals or none: %s', (source) => {
    fc.assert(
      fc.property(time, fieldsOfAll, fieldsOfSome, (t, some, more) => {
        const signals = translateClaude({ ...some, ...more, t, source })
        expect(Array.isArray(signals)).toBe(true)
        for (const signal of signals) {
          expect(signal).toMatchObject({ source, about: { agent: 'claude' } })
          expect(Number.isFinite(signal.at) && signal.at <= t).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('[X1] an input whose fields cannot be made a text is an input still', () => {
    // `String` throws on it: its toString is no function.
    const tool_input = JSON.parse('{ "options": { "toString": 1 } }')
    const call = { tool_name: 'Bash', tool_use_id: 'tool-1', tool_input }
    for (const hook_event_name of ['PreToolUse', 'PermissionRequest'])
      expect(
        translateClaude({ t: T, source: 'hook', payload: { hook_event_name, ...call } }),
      ).not.toHaveLength(0)
  })

  it.each([
    ['null', null],
    ['a number', 5],
    ['a text', 'hook'],
    ['a list', []],
    ['an empty object', {}],
    ['a source that is a list', { t: T, source: ['hook'], payload: { hook_event_name: 'Stop' } }],
    ['a source that is an object', { t: T, source: { toString: 1 } }],
    ['an unknown source', { t: T, source: 'weather', payload: { hook_event_name: 'Stop' } }],
    ['a source of every object', { t: T, source: 'constructor' }],
    ['a time that is a text', { t: '5', source: 'keystroke' }],
    ['a time that is none', { t: Number.NaN, source: 'keystroke' }],
  ])('[X1] what is no report gives nothing: %s', (_, value) => {
    expect(translateClaude(value as unknown as Report)).toEqual([])
  })

  it.each(SOURCES.filter((source) => source !== 'title' && source !== 'server'))(
    '[X1] texts of 10 MB are texts: %s',
    (source) => {
      const big = 'x'.repeat(10_000_000)
      const call = { tool_name: big, tool_use_id: big, tool_input: { [big]: big, command: big } }
      const content = [{ type: 'text', text: big }]
      const signals = translateClaude({
        t: T,
        source,
        payload: { hook_event_name: 'PreToolUse', session_id: big, transcript_path: big, ...call },
        entry: { type: 'user', timestamp: big, agentId: big, message: { content } },
        file: { status: big, sessionId: big, cwd: big, statusUpdatedAt: big },
        ...{
          path: big,
          text: big,
          pid: 1,
          alive: true,
          cwd: big,
          command: big,
          pane: big,
          key: big,
        },
        ...{ session: big, turn: 'let', loop: { state: big, iteration: 1, max: 2, hold: big } },
      })
      expect(signals.length).toBeGreaterThan(0)
      expect(signals.every((signal) => signal.at === T)).toBe(true)
    },
  )
})

type Case = [what: string, source: Source, wrong: object, missing: object]

const hook = (fields: object) => ({ payload: { session_id: 's', ...fields } })
const registry = (fields: object) => ({ pid: 7, file: { sessionId: 's', ...fields } })
const stop = (task: object) =>
  hook({ hook_event_name: 'Stop', background_tasks: [{ id: 'b1', type: 'shell', ...task }] })
const post = { hook_event_name: 'PostToolUse', tool_name: 'Bash' }
const title = { type: 'custom-title', customTitle: 'engine' }
const user = { type: 'user', timestamp: '2026-01-05T08:00:00Z' }

const WRONG: readonly Case[] = [
  ['event', 'hook', hook({ hook_event_name: 5 }), hook({})],
  ['tool id', 'hook', hook({ ...post, tool_use_id: 5 }), hook(post)],
  ['path', 'hook', hook({ ...post, transcript_path: {} }), hook(post)],
  ['tasks', 'hook', hook({ ...post, background_tasks: '' }), hook(post)],
  ['environment', 'hook', { ...hook(post), env: 'CLAUDE_PID=5' }, hook(post)],
  ['status of a task', 'hook', stop({ status: null }), stop({})],
  ['status', 'registry', registry({ status: 3 }), registry({})],
  ['file', 'registry', { pid: 7, file: 'torn' }, { pid: 7 }],
  [
    'time of a status',
    'registry',
    registry({ status: 'idle', statusUpdatedAt: {} }),
    registry({ status: 'idle' }),
  ],
  [
    'reason to wait',
    'registry',
    registry({ status: 'waiting', waitingFor: ['dialog open'] }),
    registry({ status: 'waiting' }),
  ],
  ['time of an entry', 'transcript', { entry: { ...title, timestamp: {} } }, { entry: title }],
  ['message', 'transcript', { entry: { ...user, message: 'hello' } }, { entry: user }],
  ['start', 'process', { pid: 7, alive: true, start: 100 }, { pid: 7, alive: true }],
  ['life', 'process', { pid: 7, alive: 'yes' }, { pid: 7 }],
  ['context', 'statusline', hook({ context_window: { remaining_percentage: null } }), hook({})],
  ['cost', 'statusline', hook({ cost: { total_cost_usd: '5' } }), hook({})],
  ['text', 'screen', { text: ['❯'] }, {}],
  ['pane', 'keystroke', { pane: 5 }, {}],
]

describe('a field of the wrong type', () => {
  it.each(WRONG)('[X1] is a field that is not there: %s (%s)', (_, source, wrong, missing) => {
    expect(translateClaude({ t: T, source, ...wrong })).toEqual(
      translateClaude({ t: T, source, ...missing }),
    )
  })
})

describe('time', () => {
  const prompt = { type: 'user', message: { content: 'do it' } }
  const ofEntry = (timestamp: unknown) =>
    translateClaude({ t: T, source: 'transcript', entry: { ...prompt, timestamp } })[0]?.at
  const ofStatus = (statusUpdatedAt: unknown) =>
    translateClaude({ t: T, source: 'registry', file: { status: 'idle', statusUpdatedAt } })[0]?.at

  it("[X2] is the source's own where it has one", () => {
    expect(ofEntry('2026-01-05T08:59:58.500Z')).toBe(T - 1_500)
    expect(ofStatus(T - 300)).toBe(T - 300)
  })

  it('[X2] is never later than its arrival', () => {
    expect(ofEntry('2026-01-05T09:00:01Z')).toBe(T)
    expect(ofStatus(T + 1)).toBe(T)
    expect(ofStatus(T)).toBe(T)
  })

  it('[X2] is the arrival where the own one cannot be read', () => {
    for (const none of ['yesterday', '', null, Number.NaN]) expect(ofEntry(none)).toBe(T)
    for (const none of [{}, [], true, Number.NEGATIVE_INFINITY]) expect(ofStatus(none)).toBe(T)
  })

  it('[X2] goes backward with a source that does', () => {
    expect([ofStatus(T - 10), ofStatus(T - 20), ofStatus(-5)]).toEqual([T - 10, T - 20, -5])
  })

  it('[X2] is the arrival for sources without a clock, whatever they carry', () => {
    const clock = { timestamp: '2020-01-01T00:00:00Z', statusUpdatedAt: 5, at: 5 }
    const carried = {
      payload: { hook_event_name: 'Stop', session_id: 's', ...clock },
      ...{ text: '$', pid: 7, alive: true, entry: clock, file: clock },
    }
    for (const source of ['hook', 'process', 'statusline', 'keystroke', 'screen'] as const)
      for (const signal of translateClaude({ t: T, source, ...carried, ...clock }))
        expect(signal.at).toBe(T)
  })
})
