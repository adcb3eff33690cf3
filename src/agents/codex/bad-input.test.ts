import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TEXT_MAX_CHARS } from '../../core/limits.ts'
import type { Report, Signal } from '../../core/signal.ts'
import { Tracker } from '../../core/tracker.ts'
import { STATES } from '../../core/verdict.ts'
import { fieldsInLine } from '../read.ts'
import { server } from './server-talk.ts'
import { rolloutTalk } from './talk.ts'
import { callsIn } from './tools.ts'
import { translateCodex } from './translate.ts'
import { usageIn } from './usage.ts'

const THREAD = '01a1e509-43ea-7352-8420-e155e0c74f0b'
const PATH = `/h/.codex/sessions/2026/11/16/rollout-2026-11-16T15-45-52-${THREAD}.jsonl`
const BEGIN = Date.UTC(2026, 10, 16)

/** A conversation as its rollout has it: a turn that is done, and one that runs a command. */
const TURN = { turn_id: 'turn-1' }
const LINES: readonly string[] = [
  ['session_meta', { id: THREAD, cwd: '/work', git: { branch: 'main' } }],
  ['turn_context', { cwd: '/work', model: 'gpt-6', approval_policy: 'on-request' }],
  ['event_msg', { type: 'task_started', ...TURN }],
  ['event_msg', { type: 'token_count', info: tokens(20_000) }],
  ['event_msg', { type: 'task_complete', ...TURN, last_agent_message: 'Done.' }],
  ['event_msg', { type: 'task_started', turn_id: 'turn-2' }],
  ['response_item', { type: 'function_call', call_id: 'c1', name: 'exec_command' }],
].map(([type, payload], at) => {
  return JSON.stringify({ timestamp: new Date(BEGIN + at * 1_000).toISOString(), type, payload })
})

function tokens(total: number) {
  const usage = { input_tokens: total, output_tokens: 20, total_tokens: total }
  return { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 }
}

/** Every line that is a JSON object, as its source reports it. */
function reportsIn(lines: readonly string[]): Report[] {
  return lines.map((line, at) => {
    const entry = fieldsInLine(line)
    return { t: BEGIN + 100_000 + at, source: 'transcript', agent: 'codex', path: PATH, entry }
  })
}

/** What is known after these reports, without when anything was last heard. */
function knownAfter(reports: readonly Report[]) {
  const tracker = new Tracker(translateCodex)
  for (const report of reports) tracker.take(report, BEGIN + 200_000)
  const { turn, tools, details, said } = tracker.sessions.facts(THREAD) ?? {}
  const { state, doing } = tracker.verdict(THREAD) ?? {}
  return { turn, tools, details, said, state, doing }
}

const torn = fc.tuple(fc.constantFrom(...LINES), fc.nat()).map(([line, at]) => {
  return line.slice(0, 1 + (at % (line.length - 1)))
})
const foreign = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom('', '\0\0', '[1]', 'null', '-- MARK --', '{"type":"event_msg"', '{}'),
)
/** Types and events that this version does not know, with any payload. */
const unknown = fc
  .record({ type: fc.string(), payload: fc.jsonValue() })
  .map((one) => JSON.stringify({ ...one, type: `new_${one.type}` }))
const unknownEvent = fc
  .record({
    kind: fc.constantFrom('event_msg', 'response_item'),
    more: fc.dictionary(fc.string(), fc.jsonValue()),
  })
  .map(({ kind, more }) =>
    JSON.stringify({ type: kind, payload: { ...more, type: 'something_new' } }),
  )

/** The lines in their order, with others at any place between them. */
function among(lines: readonly string[], others: readonly (readonly [string, number])[]) {
  const mixed = [...lines]
  for (const [other, at] of others) mixed.splice(at % (mixed.length + 1), 0, other)
  return mixed
}

describe('a rollout', () => {
  it('[CX63] with torn, foreign and unknown lines leaves what is known', () => {
    const expected = knownAfter(reportsIn(LINES))
    expect(expected).toMatchObject({ state: 'working', details: { model: 'gpt-6' } })
    const other = fc.oneof(torn, foreign, unknown, unknownEvent)
    fc.assert(
      fc.property(fc.array(fc.tuple(other, fc.nat()), { maxLength: 12 }), (others) => {
        expect(knownAfter(reportsIn(among(LINES, others)))).toEqual(expected)
      }),
    )
  })

  it('[CX63] with known types and fields of any content fails nowhere', () => {
    const { entry, payload } = { entry: entryTypes(), payload: payloadTypes() }
    const line = fc
      .tuple(
        fc.constantFrom(...entry),
        fc.constantFrom(...payload),
        fc.dictionary(fieldNames(), any()),
      )
      .map(([type, kind, more]) => JSON.stringify({ type, payload: { ...more, type: kind } }))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const reports = reportsIn([...LINES, ...lines])
        expect(STATES).toContain(knownAfter(reports).state)
        for (const report of reports) usageIn(report)
        const { said } = rolloutTalk([...LINES, ...lines], 'Bash')
        expect(said.length).toBeLessThanOrEqual(3)
      }),
    )
  })

  it('[CX63] with a line of megabytes has short facts, and is read in one pass', () => {
    const long = 'x'.repeat(4_000_000)
    const script = `${'tools.a({'.repeat(300_000)}`
    expect(callsIn(script)).toEqual({ name: 'a', input: undefined })
    expect(callsIn(`tools.b(${' '.repeat(1_000_000)}`).name).toBe('b')
    const calls = [
      { type: 'custom_tool_call', call_id: 'c2', name: 'exec', input: script },
      {
        type: 'function_call',
        call_id: 'c3',
        name: long,
        arguments: JSON.stringify({ cmd: long }),
      },
      { type: 'function_call_output', call_id: 'c3', output: long },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: long }] },
    ].map((payload) => JSON.stringify({ type: 'response_item', payload }))
    const signals = reportsIn([...LINES, ...calls]).flatMap((report) => translateCodex(report))
    for (const { about: _, ...signal } of signals)
      expect(longest(signal)).toBeLessThan(TEXT_MAX_CHARS + 1)
  })
})

function longest(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(0, ...Object.values(value).map(longest))
}

const entryTypes = () => ['session_meta', 'turn_context', 'event_msg', 'response_item', 'compacted']
const payloadTypes = () => [
  ...['task_started', 'task_complete', 'turn_aborted', 'item_completed', 'token_count'],
  ...['context_compacted', 'function_call', 'custom_tool_call', 'local_shell_call', 'reasoning'],
  ...['function_call_output', 'custom_tool_call_output', 'message'],
]
const fieldNames = () =>
  fc.constantFrom(
    ...['id', 'turn_id', 'call_id', 'name', 'input', 'arguments', 'output', 'item', 'content'],
    ...['info', 'rate_limits', 'error', 'git', 'cwd', 'model', 'role', 'last_agent_message'],
    ...['thread_source', 'parent_thread_id', 'collaboration_mode', 'source'],
  )
const any = () => fc.oneof(fc.jsonValue(), fc.constant(THREAD), fc.constant('c1'))

describe('a message of the server', () => {
  const told = (method: string, params: object): Report => ({
    ...{ t: BEGIN + 1_000, source: 'server', agent: 'codex', thread: THREAD },
    message: { method, params },
  })
  const status = (type: string, activeFlags?: unknown) =>
    told('thread/status/changed', { threadId: THREAD, status: { type, activeFlags } })
  const known = fc.constantFrom(
    ...[status('idle'), status('active', []), status('systemError')],
    ...[status('active', ['waitingOnApproval']), status('active', ['waitingOnUserInput'])],
  )
  const strange = fc.oneof(
    fc.string().map((type) => status(`new ${type}`)),
    fc
      .jsonValue()
      .map((value) => told('thread/status/changed', { threadId: THREAD, status: value as object })),
    fc.string().map((method) => told(`new/${method}`, { threadId: THREAD })),
  )

  it('[CX64] with an unknown status or method leaves the state of its thread', () => {
    const isKnown = ({ message }: Report) => {
      const { type } = (message as { params: { status?: { type?: string } } }).params.status ?? {}
      return ['idle', 'active', 'systemError'].includes(type ?? '')
    }
    fc.assert(
      fc.property(fc.array(fc.oneof(known, strange), { maxLength: 12 }), (reports) => {
        const timed = reports.map((report, at) => ({ ...report, t: report.t + at * 1_000 }))
        const state = (some: readonly Report[]) => knownAfter(some).state
        expect(state(timed)).toBe(state(timed.filter(isKnown)))
      }),
    )
  })

  it('[CX64] with any content fails neither in what vigil reads nor in what it sends', () => {
    const methods = ['thread/started', 'thread/read', 'thread/closed', 'thread/name/updated']
    const message = fc.oneof(
      fc.jsonValue(),
      fc.record({
        method: fc.oneof(fc.string(), fc.constantFrom(...methods)),
        params: fc.jsonValue(),
      }),
      fc.record({ id: fc.nat({ max: 5 }), result: fc.jsonValue() }),
      fc.record({ id: fc.nat({ max: 5 }), error: fc.jsonValue() }),
    )
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const talk = server.talk()
        const said = [talk.open(), ...messages.map((one) => talk.take(one))]
        JSON.stringify(said)
        for (const one of messages) signalsOf(one)
        for (const { report } of said) for (const { message: kept } of report) signalsOf(kept)
      }),
    )
  })

  function signalsOf(message: unknown): readonly Signal[] {
    return translateCodex({ t: BEGIN, source: 'server', agent: 'codex', message })
  }
})
