import { describe, expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { entryTime } from '../read.ts'
import { aboutRollout, fromRollout } from './rollout.ts'

const THREAD = '01a1e504-cd6b-75c1-a49f-da8fd235ddaf'
const FOLDER = '/home/u/.codex/sessions/2026/11/16'
const FILE = `${FOLDER}/rollout-2026-11-16T15-40-59-${THREAD}.jsonl`
const AT = '2026-11-16T15:41:02.139Z'

function line(type: string, payload: object, path = FILE): Report {
  const entry = { timestamp: AT, ordinal: 1, type, payload }
  return { t: Date.parse(AT) + 300, source: 'transcript', agent: 'codex', path, entry }
}
const event = (type: string, more: object = {}) =>
  line('event_msg', { type, turn_id: 'turn-1', ...more })
const told = (report: Report) => fromRollout(report).filter(({ kind }) => kind !== 'life')

describe('a line of a rollout', () => {
  it('[CX9] is about the thread that its file names, at its own time', () => {
    const report = line('turn_context', { cwd: '/p' })
    expect(aboutRollout(report)).toEqual({ agent: 'codex', session: THREAD, folder: '/p' })
    expect(entryTime(report)).toBe(Date.parse(AT))
  })

  it.each([
    ['task_started', {}, { kind: 'turn-started', by: 'user' }],
    ['task_complete', { last_agent_message: null }, { kind: 'turn-ended', how: 'over' }],
    ['turn_aborted', { reason: 'interrupted' }, { kind: 'turn-interrupted' }],
  ])('[CX10] %s marks the turn', (type, more, mark) => {
    expect(told(event(type, more))).toEqual([{ ...mark, turn: 'turn-1' }])
  })

  it.each([
    [{ message: 'scripted 400', codex_error_info: 'other' }, 'invalid_request'],
    [
      { message: '{"error":{"type":"invalid_request_error"}}', codex_error_info: 'other' },
      'invalid_request',
    ],
    [
      { codex_error_info: { response_too_many_failed_attempts: { http_status_code: 429 } } },
      'rate_limit',
    ],
    [
      { codex_error_info: { http_connection_failed: { http_status_code: 401 } } },
      'authentication_failed',
    ],
    [{ codex_error_info: 'usage_limit_exceeded' }, 'usage_limit'],
    [{ codex_error_info: 'internal_server_error' }, 'server_error'],
    [{ message: 'stream disconnected', codex_error_info: 'other' }, 'connection_lost'],
    [{ codex_error_info: { something_new: { http_status_code: 418 } } }, 'HTTP 418'],
    [{}, 'unknown'],
  ])('[CX10] task_complete with an error fails the turn: %o', (error, cause) => {
    expect(told(event('task_complete', { error }))).toEqual([
      { kind: 'turn-failed', cause, turn: 'turn-1' },
    ])
  })

  it('[CX11] an open question waits until it is answered', () => {
    const asked = { name: 'request_user_input', call_id: 'c1', type: 'function_call' }
    const input = JSON.stringify({ questions: [{ question: 'Which colour?' }] })
    expect(told(line('response_item', { ...asked, arguments: input }))).toContainEqual({
      ...{
        kind: 'request-opened',
        for: 'question',
        tool: 'request_user_input',
        input: '',
        id: 'c1',
      },
      text: 'Which colour?',
    })
    const answer = { type: 'function_call_output', call_id: 'c1', output: '{}' }
    expect(told(line('response_item', answer))).toEqual([{ kind: 'tool-ended', id: 'c1' }])
  })

  it('[CX12] a call has the name and the command that hooks have', () => {
    const input = 'text(await tools.exec_command({"cmd":"npm test","yield_time_ms":1000}))'
    const call = { type: 'custom_tool_call', call_id: 'c2', name: 'exec', input }
    expect(told(line('response_item', call))).toContainEqual({
      ...{
        kind: 'tool-started',
        id: 'c2',
        name: 'Bash',
        input: '',
        quiet: false,
        label: 'npm test',
      },
    })
  })

  it('[CX13] a command that is still running is background work until its item is complete', () => {
    const running = '{"chunk_id":"b061f3","wall_time_seconds":0.3,"session_id":43983,"output":""}'
    const output = [
      { type: 'input_text', text: 'Script completed' },
      { type: 'input_text', text: running },
    ]
    const answer = { type: 'custom_tool_call_output', call_id: 'c3', output }
    expect(told(line('response_item', answer))).toEqual([
      { kind: 'tool-ended', id: 'c3' },
      { kind: 'task-started', id: 'terminal 43983', what: 'terminal' },
    ])
    const item = {
      type: 'CommandExecution',
      id: 'exec-1',
      process_id: '43983',
      status: 'completed',
    }
    expect(told(event('item_completed', { item }))).toEqual([
      { kind: 'tool-ended', id: 'exec-1' },
      { kind: 'task-ended', id: 'terminal 43983' },
    ])
  })
})

describe('the first line of a rollout', () => {
  const meta = { id: THREAD, session_id: THREAD, cwd: '/p', source: 'cli', git: { branch: 'main' } }

  it('[CX14] opens a session, and says where it is', () => {
    expect(told(line('session_meta', meta))).toEqual([
      { kind: 'opened', how: 'startup', continues: true },
      { kind: 'details', details: { cwd: '/p', transcript: FILE, branch: 'main' } },
    ])
  })

  it('[CX14] of `exec` opens one that no person attends', () => {
    const kinds = told(line('session_meta', { ...meta, source: 'exec' })).map(({ kind }) => kind)
    expect(kinds).toEqual(['opened', 'unattended', 'details'])
  })

  it('[CX8] of a subagent names its session, and the copied first line says nothing', () => {
    const child = {
      ...meta,
      session_id: 'root',
      parent_thread_id: 'root',
      thread_source: 'subagent',
    }
    expect(told(line('session_meta', child))).toEqual([{ kind: 'is-subagent', of: 'root' }])
    expect(told(line('session_meta', { ...meta, id: 'root' }))).toEqual([])
  })
})

it('[CX15] any line at all gives signals or none, and none for a file of another name', () => {
  for (const entry of [
    null,
    7,
    [],
    {},
    { type: 'event_msg' },
    { type: 'response_item', payload: [] },
  ])
    expect(() => fromRollout({ t: 1, source: 'transcript', path: FILE, entry })).not.toThrow()
  expect(fromRollout(line('event_msg', { type: 'task_started' }, '/tmp/x.jsonl'))).toEqual([])
})
