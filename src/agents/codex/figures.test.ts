import { describe, expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { Tracker } from '../../core/tracker.ts'
import { rolloutFigures } from './figures.ts'
import { translateCodex } from './translate.ts'

const THREAD = '01a1e509-43ea-7352-8420-e155e0c74f0b'
const CHILD = '01a1e509-5191-7973-bfb4-346ea1bfe416'
const RATE_LIMITS = {
  primary: { used_percent: 12.5, window_minutes: 300, resets_at: 1_763_483_205 },
  secondary: { used_percent: 77, window_minutes: 10_080, resets_at: 1_763_606_387 },
}

const counted = (used: unknown, window: unknown = 258_400) => ({
  type: 'token_count',
  info: { last_token_usage: { total_tokens: used }, model_context_window: window },
})

describe('the context that is left', () => {
  it.each([
    [1_020, 100],
    [12_000, 100],
    [135_200, 50],
    [257_000, 1],
    [258_400, 0],
    [900_000, 0],
  ])('[CX60] after a request of %i tokens is %i %%', (used, left) => {
    expect(rolloutFigures(counted(used), 1).contextLeftPercent).toBe(left)
  })

  it.each([
    [undefined, 258_400],
    [-5, 258_400],
    [Number.NaN, 258_400],
    ['many', 258_400],
    [5, null],
    [5, 0],
    [5, 12_000],
  ])('[CX60] is not known of %o in a window of %o', (used, window) => {
    expect(rolloutFigures(counted(used, window), 1)).toEqual({})
  })
})

describe('the limits of a subscription', () => {
  it('[CX61] are its windows, with how long, how much and until when', () => {
    expect(rolloutFigures({ rate_limits: RATE_LIMITS, info: null }, 7).limits).toEqual({
      at: 7,
      windows: [
        { usedPercent: 12.5, lastsMs: 18_000_000, resetsAt: 1_763_483_205_000 },
        { usedPercent: 77, lastsMs: 604_800_000, resetsAt: 1_763_606_387_000 },
      ],
    })
  })

  it.each([
    [{ primary: null, secondary: null }],
    [{ primary: { used_percent: 'all' } }],
    [{ primary: { used_percent: -1 } }],
    [null],
  ])('[CX61] are not known of %o', (limits) => {
    expect(rolloutFigures({ rate_limits: limits }, 7).limits).toBeUndefined()
  })

  it('[CX61] may lack length and end, and never exceed the whole', () => {
    const windows = [{ usedPercent: 100, lastsMs: null, resetsAt: null }]
    const limits = { primary: { used_percent: 250, window_minutes: 0 } }
    expect(rolloutFigures({ rate_limits: limits }, 7).limits).toEqual({ at: 7, windows })
  })
})

/** A tracker that read these lines of each thread's rollout. */
function trackerOf(lines: readonly (readonly [thread: string, type: string, payload: object])[]) {
  const tracker = new Tracker(translateCodex)
  lines.forEach(([thread, type, payload], at) => {
    const path = `/h/.codex/sessions/2026/11/16/rollout-2026-11-16T15-45-52-${thread}.jsonl`
    const timestamp = new Date(1_000_000 + at).toISOString()
    tracker.take({
      t: 2_000_000 + at,
      source: 'transcript',
      path,
      entry: { timestamp, type, payload },
    })
  })
  return tracker
}

describe('the details of a session', () => {
  const meta = { id: THREAD, cwd: '/work', git: { branch: 'main' }, cli_version: '0.166.0' }
  const own = [
    [THREAD, 'session_meta', meta],
    [THREAD, 'turn_context', { cwd: '/work', model: 'gpt-6', approval_policy: 'on-request' }],
    [THREAD, 'event_msg', { ...counted(135_200), rate_limits: RATE_LIMITS }],
  ] as const

  it('[CX60] [CX61] have model, branch, context and limits from its rollout', () => {
    expect(trackerOf(own).sessions.facts(THREAD)?.details).toMatchObject({
      model: 'gpt-6',
      branch: 'main',
      version: '0.166.0',
      contextLeftPercent: 50,
      limits: { at: 1_000_002 },
    })
  })

  it('[CX60] have nothing of a subagent’s', () => {
    const child = { ...meta, id: CHILD, thread_source: 'subagent', parent_thread_id: THREAD }
    const both = [
      ...own,
      [CHILD, 'session_meta', { ...child, session_id: THREAD }] as const,
      [CHILD, 'turn_context', { cwd: '/elsewhere', model: 'gpt-6-mini' }] as const,
      [CHILD, 'event_msg', counted(258_400)] as const,
    ]
    const { sessions } = trackerOf(both)
    expect([...sessions.ids()]).toEqual([THREAD])
    const details = { model: 'gpt-6', contextLeftPercent: 50, cwd: '/work' }
    expect(sessions.facts(THREAD)?.details).toMatchObject(details)
  })

  it('[CX62] have the thread’s name, until it is taken back', () => {
    const tracker = trackerOf(own)
    const tell = (method: string, params: object) => {
      const report = { t: 3_000_000, source: 'server', message: { method, params } } as Report
      tracker.take(report)
      return tracker.sessions.facts(THREAD)?.details.title
    }
    const thread = { id: THREAD, cwd: '/work', name: 'Fix it', status: { type: 'idle' } }
    expect(tell('thread/read', { thread })).toBe('Fix it')
    expect(tell('thread/name/updated', { threadId: THREAD, threadName: 'Mend it' })).toBe('Mend it')
    expect(tell('thread/name/updated', { threadId: THREAD })).toBe('')
  })
})
