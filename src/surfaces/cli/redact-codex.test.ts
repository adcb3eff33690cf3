import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { replayedChanges } from './export-verify.ts'
import { redactAll } from './redact.ts'

const THREAD = '01a1e504-cd6b-75c1-a49f-da8fd235ddaf'
const HOME = '/home/zebrafinch/.codex'
const FILE = `${HOME}/sessions/2026/11/16/rollout-2026-11-16T15-40-59-${THREAD}.jsonl`
const START = Date.parse('2026-11-16T15:41:00Z')

const line = (type: string, payload: object) => ({ type, payload, timestamp: undefined })
const said = (text: string) => [{ type: 'input_text', text }]
const terminal = '{"chunk_id":"b0","session_id":43983,"output":"zebrafinch"}'

/** With the thread's id instead of the folder, as a user may set it. */
const SCREEN = `\n› Ask Codex to do anything\n\n  GPT-6 zebrafinch · ${THREAD}\n  ? for shortcuts\n`

/** A run with a command that goes on in the background, an approval, and an error. */
const RUN: readonly Omit<Report, 't'>[] = [
  { source: 'process', pid: 7, alive: true, command: 'codex zebrafinch', cwd: '/home/zebrafinch' },
  { source: 'screen', pid: 7, text: SCREEN },
  { source: 'title', pid: 7, title: 'zebrafinch' },
  {
    source: 'hook',
    payload: { session_id: THREAD, hook_event_name: 'SessionStart', source: 'startup' },
  },
  {
    source: 'transcript',
    path: FILE,
    entry: line('event_msg', { type: 'task_started', turn_id: 'turn-1' }),
  },
  { source: 'title', pid: 7, title: '⠋ zebrafinch' },
  {
    source: 'server',
    message: {
      method: 'thread/status/changed',
      params: {
        threadId: THREAD,
        status: { type: 'active', activeFlags: ['waitingOnApproval'] },
      },
    },
  },
  {
    source: 'server',
    message: {
      method: 'thread/status/changed',
      params: { threadId: THREAD, status: { type: 'idle' } },
    },
  },
  {
    source: 'transcript',
    path: FILE,
    entry: line('response_item', {
      ...{ type: 'custom_tool_call_output', call_id: 'c_1', output: said(terminal) },
    }),
  },
  {
    source: 'transcript',
    path: FILE,
    entry: line('event_msg', {
      ...{ type: 'task_complete', turn_id: 'turn-1', last_agent_message: 'zebrafinch?' },
    }),
  },
  {
    source: 'transcript',
    path: FILE,
    entry: line('event_msg', {
      ...{ type: 'item_completed', item: { type: 'CommandExecution', process_id: '43983' } },
    }),
  },
  {
    source: 'transcript',
    path: FILE,
    entry: line('event_msg', { type: 'task_started', turn_id: 'turn-2' }),
  },
  {
    source: 'transcript',
    path: FILE,
    entry: line('event_msg', {
      ...{ type: 'task_complete', turn_id: 'turn-2' },
      error: {
        message: 'zebrafinch',
        codex_error_info: { http_connection_failed: { http_status_code: 401 } },
      },
    }),
  },
]

it('[OS5][AG8][CX65] a run is judged as before, and no word of its user’s is in it', () => {
  const reports = RUN.map(
    (report, at) => ({ ...report, t: START + at * 2_000, agent: 'codex' }) as unknown as Report,
  )
  const hidden = redactAll(reports, { paths: true, screens: true }).reports
  expect(JSON.stringify(hidden)).not.toMatch(/zebrafinch/i)
  const told = replayedChanges(hidden)
  expect(told).toBe(replayedChanges(reports))
  for (const state of ['waiting', 'background', 'error']) expect(told).toContain(`"${state}"`)
  expect(told).toContain('"authentication_failed"')
})

it.each([
  ['prompt', () => ({ source: 'screen', text: `› Is zebrafinch ok?\n${SCREEN}` })],
  ['id', () => ({ source: 'title', title: `⠋ zebrafinch | ${THREAD.slice(0, 29)}...` })],
] as const)('[CX65][L11] a session is tied to its client by the same %s as before', (_, shown) => {
  const runs = { source: 'process', alive: true, command: 'codex', cwd: '/home/zebrafinch' }
  const meta = line('session_meta', { id: THREAD, cwd: '/home/zebrafinch' })
  const item = { type: 'UserMessage', content: [{ type: 'text', text: 'Is zebrafinch ok?' }] }
  const all = [
    ...[
      { ...runs, pid: 7 },
      { ...runs, pid: 8 },
      { source: 'screen', pid: 8, text: SCREEN },
    ],
    { source: 'transcript', path: FILE, entry: meta },
    {
      source: 'transcript',
      path: FILE,
      entry: line('event_msg', { type: 'item_completed', item }),
    },
    { ...shown(), pid: 7 },
    { source: 'process', pid: 7, alive: false },
  ]
  const reports = all.map((report, at) => {
    return { ...report, t: START + at * 2_000, agent: 'codex' } as unknown as Report
  })
  const hidden = redactAll(reports, { paths: true, screens: true }).reports
  expect(JSON.stringify(hidden)).not.toMatch(/zebrafinch/i)
  const told = replayedChanges(hidden)
  expect(told).toBe(replayedChanges(reports))
  // The third session: both processes came before it.
  expect(told).toContain('"session":2,"state":"closed"')
})

it('[CX65] no word that a user chose is in it, whatever field it was in', () => {
  const forms = [
    ...[
      'zebrafinch',
      'gpt-6-zebrafinch',
      '⠋ zebrafinch',
      'tools.zebrafinch({})',
      'codex zebrafinch',
    ],
    ...[
      '[ ! ] Action Required | zebrafinch',
      '› zebrafinch',
      'thread/zebrafinch',
      '/home/zebrafinch',
    ],
    ...['{"session_id":7,"output":"zebrafinch"}', 'rollout-zebrafinch.jsonl', 'mcp__zebrafinch__x'],
  ]
  const places = fc.tuple(fc.constantFrom(...forms), fc.integer({ min: 1, max: 9 }), fc.nat())
  fc.assert(
    fc.property(places, ([form, every, from]) => {
      let seen = from
      const changed = (value: unknown): unknown => {
        if (typeof value === 'string') return seen++ % every === 0 ? form : value
        if (Array.isArray(value)) return value.map(changed)
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(Object.entries(value).map(([k, inner]) => [k, changed(inner)]))
      }
      const reports = RUN.map(({ source, ...rest }, t) => {
        return { ...(changed(rest) as object), t, source, agent: 'codex' } as Report
      })
      const hidden = redactAll(reports, { paths: true, screens: true }).reports
      expect(JSON.stringify(hidden)).not.toMatch(/zebrafinch/i)
    }),
  )
})
