import { describe, expect, it } from 'vitest'
import { allRecordings } from '../../../test/support/recordings.ts'
import type { Report } from '../../core/signal.ts'
import { reportsOf } from '../../recording/read.ts'
import { fields } from '../read.ts'
import { lastMessageIn, loop, loopEventOf } from './loop-event.ts'

const hook = (payload: object, env: object = {}) => ({
  t: 1,
  source: 'hook' as const,
  payload: { session_id: 's', ...payload },
  env,
})

/** Calls that ended, by id: the tool, and whether it failed. */
function endsIn(reports: readonly Report[], source: Report['source']): string[] {
  const called = new Map<string, string>()
  const ends = new Map<string, string>()
  for (const report of reports) {
    const sign = report.source === source ? loopEventOf(report) : undefined
    const id = String(fields(report.payload).tool_use_id)
    if (sign?.is === 'tool') ends.set(id, `${toolIn(sign.call)} ${sign.failed}`)
    if (sign?.is === 'calls') for (const one of sign.calls) called.set(one.id, toolIn(one.call))
    if (sign?.is === 'results')
      for (const one of sign.results) ends.set(one.id, `${called.get(one.id)} ${one.failed}`)
  }
  return [...ends].map(([id, end]) => `${id} ${end}`).toSorted()
}

/** Hooks of older clients leave out a plan's text. */
function toolIn(call: string): string {
  return call.slice(0, call.indexOf(':'))
}

describe('what a report means to a loop', () => {
  it('a Stop with the whole last message, and whether its hook asks', () => {
    const long = 'x'.repeat(100_000)
    const stop = { hook_event_name: 'Stop', last_assistant_message: long, transcript_path: '/t' }
    expect(loopEventOf(hook(stop, { asks: 1 }))).toEqual({
      ...{ is: 'stop', session: 's', asks: true, off: false, message: long, transcript: '/t' },
    })
    expect(loopEventOf(hook({ hook_event_name: 'Stop' }))).toMatchObject({ asks: false })
  })

  it('a compaction, before and after; no other start', () => {
    expect(loopEventOf(hook({ hook_event_name: 'PreCompact' }))?.is).toBe('compacting')
    const start = (source: string) => hook({ hook_event_name: 'SessionStart', source })
    expect(loopEventOf(start('compact'))?.is).toBe('compacted')
    expect(loopEventOf(start('startup'))).toBeUndefined()
  })

  it('[LP74] a tool: which call, whether it failed, whether it can have changed anything', () => {
    const call = { tool_name: 'Bash', tool_input: { command: 'npm test' } }
    expect(loopEventOf(hook({ hook_event_name: 'PostToolUseFailure', ...call }))).toEqual({
      ...{ is: 'tool', session: 's', call: 'Bash: npm test', failed: true, changes: true },
    })
    expect(loopEventOf(hook({ hook_event_name: 'PostToolUse', ...call }))).toMatchObject({
      ...{ failed: false, changes: true },
    })
    const read = { hook_event_name: 'PostToolUse', tool_name: 'Read' }
    expect(loopEventOf(hook(read))).toMatchObject({ changes: false })
  })

  it('[LP74] the same by the log: a call, then its end; one that was refused has none', () => {
    const entry = (content: object, more = {}) => ({
      ...{ t: 1, source: 'transcript' as const },
      entry: { sessionId: 's', message: { content: [content] }, ...more },
    })
    const input = { command: 'npm test' }
    const called = entry({ type: 'tool_use', id: 't', name: 'Bash', input })
    expect(loopEventOf(called)).toEqual({
      ...{ is: 'calls', session: 's' },
      calls: [{ id: 't', call: 'Bash: npm test', changes: true }],
    })
    const answer = { type: 'tool_result', tool_use_id: 't' }
    const failed = entry({ ...answer, is_error: true }, { toolUseResult: 'Error: Exit code 3' })
    const results = (sign: object) => ({ is: 'results', session: 's', results: [sign] })
    expect(loopEventOf(failed)).toEqual(results({ id: 't', failed: true }))
    expect(loopEventOf(entry(answer))).toEqual(results({ id: 't', failed: false }))
    for (const toolUseResult of [
      'User rejected tool use',
      'Error: Permission to use Bash has been',
    ])
      expect(loopEventOf(entry({ ...answer, is_error: true }, { toolUseResult }))).toBeUndefined()
  })

  it('[LP74] the log tells of every recorded call what its hook told', () => {
    let count = 0
    for (const { name, ...recording } of allRecordings()) {
      // The hooks of 2.0.50 do not name the call.
      if (name === 'oldest_bash_approve') continue
      const reports = reportsOf({ name, ...recording })
      const told = endsIn(reports, 'hook')
      expect(endsIn(reports, 'transcript'), name).toEqual(told)
      count += told.length
    }
    expect(count).toBeGreaterThan(100)
  })

  it('a command that was typed while it works, and no other words', () => {
    const queued = (content: string, operation = 'enqueue') => {
      const entry = { type: 'queue-operation', operation, content, sessionId: 's' }
      return loopEventOf({ t: 1, source: 'transcript', entry })
    }
    expect(queued('/vigil:stop ')).toEqual({ is: 'queued', session: 's' })
    expect(queued('and the tests')).toBeUndefined()
    expect(queued('/vigil:stop', 'remove')).toBeUndefined()
  })

  it('nothing of other sources, other events, or without a session', () => {
    expect(loopEventOf({ t: 1, source: 'registry', payload: {} })).toBeUndefined()
    expect(loopEventOf(hook({ hook_event_name: 'PreToolUse' }))).toBeUndefined()
    expect(loopEventOf(hook({ session_id: 7, hook_event_name: 'Stop' }))).toBeUndefined()
  })

  it('how many blocks the client takes, if it says so', () => {
    expect(loop.capOf(hook({}, { blockCap: '1000' }))).toEqual({ session: 's', cap: 1_000 })
    expect(loop.capOf(hook({}, { blockCap: '0' }))).toEqual({ session: 's', cap: 0 })
    expect(loop.capOf(hook({}, { blockCap: 'many' }))).toBeUndefined()
    expect(loop.capOf(hook({}))).toBeUndefined()
  })
})

describe('the last message in a transcript', () => {
  const said = (id: string, text: string, stop: string | null = 'end_turn', more: object = {}) =>
    JSON.stringify({
      type: 'assistant',
      message: { id, stop_reason: stop, content: [{ type: 'text', text }] },
      ...more,
    })
  const user = (content: unknown) => JSON.stringify({ type: 'user', message: { content } })
  const tool = JSON.stringify({
    type: 'assistant',
    message: { id: 'm', stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 't' }] },
  })
  const DONE = '<loop-done>COMPLETE</loop-done>'

  it('is every text of the newest message, however many lines it was written in', () => {
    const lines = [said('a', 'before'), user('go'), said('b', 'one', null), said('b', 'two'), '']
    expect(lastMessageIn(lines)).toBe('one\ntwo')
  })

  it('is nothing of a user, a tool or a subagent', () => {
    const result = user([{ type: 'tool_result', content: DONE }])
    const lines = [user(DONE), tool, result, said('b', 'done'), said('x', DONE, 'end_turn', SIDE)]
    expect(lastMessageIn(lines)).toBe('done')
  })

  it('is not there while it is being written, or after a tool', () => {
    expect(lastMessageIn([user('go'), said('b', 'one', null)])).toBeUndefined()
    expect(lastMessageIn([user('go'), tool])).toBeUndefined()
    expect(lastMessageIn([said('a', 'old'), user('go')])).toBeUndefined()
    expect(lastMessageIn(['{', 'null', '7'])).toBeUndefined()
  })

  const SIDE = { isSidechain: true }
})
