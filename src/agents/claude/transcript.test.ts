import { describe, expect, it } from 'vitest'
import type { Happening } from '../../core/signal.ts'
import { entryTime } from '../read.ts'
import { aboutTranscript, fromTranscript } from './transcript.ts'

const T = Date.UTC(2026, 0, 5, 9)
const MAIN = '/home/ada/.claude/projects/-engine/s.jsonl'
const SUBAGENT = '/home/ada/.claude/projects/-engine/s/subagents/agent-a1.jsonl'
const timestamp = '2026-01-05T08:59:59.000Z'

const reportOf = (entry: object, path = MAIN) => ({
  t: T,
  source: 'transcript' as const,
  path,
  entry: { sessionId: 's', ...entry },
})

/** What an entry says besides that its session lives. */
function told(entry: object, path = MAIN): Happening[] {
  const happenings = fromTranscript(reportOf({ timestamp, ...entry }, path))
  expect(happenings.at(-1)).toEqual({ kind: 'life' })
  return happenings.slice(0, -1)
}

const system = (subtype: string, fields: object = {}) => ({ type: 'system', subtype, ...fields })
const prompt = { type: 'user', message: { content: 'look around' } }
const answer = { type: 'assistant', message: { stop_reason: 'end_turn' } }

describe('an entry', () => {
  it('names its session by either spelling, and its folder', () => {
    const about = { agent: 'claude', session: 's', folder: '-engine' }
    expect(aboutTranscript(reportOf({}))).toEqual(about)
    expect(aboutTranscript(reportOf({ sessionId: 5, session_id: 's' }, SUBAGENT))).toEqual(about)
  })

  it('[X2] was true when it was written, not when it was flushed', () => {
    expect(entryTime(reportOf({ timestamp }))).toBe(T - 1_000)
    expect(entryTime(reportOf({}))).toBe(T)
  })

  it('without a time is no sign of life: titles are written again and again', () => {
    expect(fromTranscript(reportOf({ type: 'custom-title', customTitle: 'engine' }))).toEqual([
      { kind: 'details', details: { title: 'engine' } },
    ])
    expect(fromTranscript(reportOf({ type: 'permission-mode', permissionMode: 'plan' }))).toEqual([
      { kind: 'details', details: { mode: 'plan' } },
    ])
  })

  it('[X1] of a type not known here is a sign of life', () => {
    for (const type of ['attachment', 'summary', 'novel', 'constructor', undefined, 5])
      expect(told({ type, operation: 'dequeue', subtype: 'turn_duration' })).toEqual([])
  })

  it('[T4] that another’s hook blocked the prompt is the end of its turn', () => {
    const ending = (kind: string) =>
      told(system('informational', { promptSubmitEnding: { ending: { kind } } }))
    expect(ending('blocked_by_hook')).toEqual([{ kind: 'turn-interrupted' }])
    expect(ending('submitted')).toEqual([])
    expect(told(system('informational'))).toEqual([])
  })

  it('of its user tells folder, branch and the file it stands in', () => {
    const where = { cwd: '/engine', gitBranch: 'main' }
    expect(told({ type: 'user', ...where })).toEqual([
      { kind: 'details', details: { cwd: '/engine', branch: 'main', transcript: MAIN } },
    ])
  })
})

describe("a subagent's entry", () => {
  it('is recognised by its file', () => {
    expect(told(prompt, SUBAGENT)).toEqual([{ kind: 'task-started', id: 'a1', what: 'subagent' }])
    expect(told(answer, SUBAGENT)).toEqual([
      { kind: 'spoke', actor: 'a1' },
      { kind: 'task-ended', id: 'a1' },
    ])
  })

  it('in the main file is recognised by its mark', () => {
    const mark = { isSidechain: true, agentId: 'a2' }
    expect(told({ ...answer, ...mark })).toContainEqual({ kind: 'task-ended', id: 'a2' })
    // A main entry has the id too, where the agent is a named one.
    expect(told({ ...answer, agentId: 'a2' })).toContainEqual({ kind: 'turn-ended', how: 'done' })
  })

  it("[B2] says nothing about the main agent's turn", () => {
    const error = { type: 'assistant', isApiErrorMessage: true, error: 'server_error' }
    for (const entry of [system('turn_duration'), system('api_error'), error])
      expect(told(entry, SUBAGENT)).toEqual([])
  })
})

describe('what the client notes', () => {
  it('[T3] the length of a turn ends it', () => {
    expect(told(system('turn_duration', { durationMs: 5 }))).toEqual([
      { kind: 'turn-ended', how: 'over' },
    ])
  })

  it('a summary of Stop hooks ends nothing: a blocked Stop has one too', () => {
    expect(told(system('stop_hook_summary', { preventedContinuation: false }))).toEqual([])
  })

  it('a compaction ends, and with a manual one its turn', () => {
    const closed = { kind: 'compaction', open: false }
    const boundary = (trigger: string) =>
      told(system('compact_boundary', { compactMetadata: { trigger } }))
    expect(boundary('manual')).toEqual([closed, { kind: 'turn-ended', how: 'compact' }])
    expect(boundary('auto')).toEqual([closed])
    expect(told(system('compact_boundary'))).toEqual([closed])
  })

  it('[E2] an API error that is tried again is a retry', () => {
    const entry = system('api_error', { retryAttempt: 3, maxRetries: 10 })
    expect(told(entry)).toEqual([{ kind: 'retrying', attempt: 3 }])
    expect(told(system('api_error'))).toEqual([{ kind: 'retrying', attempt: 1 }])
  })

  it('/clear opens a session, no other command does', () => {
    const run = (command: string) => told(system('local_command', { commandRun: { command } }))
    expect(run('clear')).toEqual([{ kind: 'opened', how: 'clear', continues: true }])
    expect(run('compact')).toEqual([])
    expect(told(system('local_command'))).toEqual([])
  })
})

describe('a prompt in the queue', () => {
  const queue = (operation: string, content?: string) =>
    told({ type: 'queue-operation', operation, content })

  it('[T5] starts the next turn when it is dequeued', () => {
    expect(queue('dequeue')).toMatchObject([{ kind: 'turn-started' }])
  })

  it('[T5] starts none when it is removed: it went along with an answered batch', () => {
    expect(queue('remove', 'do it')).toEqual([])
    expect(queue('enqueue', 'do it')).toEqual([])
    expect(queue('popAll')).toEqual([])
  })

  it('[B8] a notice ends its task as soon as it is queued', () => {
    const notice = '<task-notification>\n<task-id>a1</task-id>'
    expect(queue('enqueue', notice)).toEqual([{ kind: 'task-ended', id: 'a1' }])
  })
})
