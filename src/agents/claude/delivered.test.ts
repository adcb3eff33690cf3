import { describe, expect, it } from 'vitest'
import { allRecordings } from '../../../test/support/recordings.ts'
import type { Report } from '../../core/signal.ts'
import { reportsOf } from '../../recording/read.ts'
import { ClaudeDeliveries, type ToldBy } from './delivered.ts'

const NEVER = Number.POSITIVE_INFINITY

function ratiosOf(reports: readonly Report[], now = NEVER) {
  const deliveries = new ClaudeDeliveries()
  for (const report of reports) {
    if (report.source === 'hook') deliveries.hook(report)
    if (report.source === 'transcript') deliveries.transcript(report)
  }
  return deliveries.ratios(now)
}

const eventOf = ({ payload }: Report) => (payload as { hook_event_name?: string })?.hook_event_name

describe('what hooks have told', () => {
  it('[CM13] is all of it in every recording', () => {
    const sum = { UserPromptSubmit: 0, PreToolUse: 0, PostToolUse: 0, Stop: 0 }
    for (const recording of allRecordings()) {
      const ratios = ratiosOf(reportsOf(recording))
      for (const [by, { expected, told }] of Object.entries(ratios)) {
        expect(told, `${recording.name} ${by}`).toBe(expected)
        sum[by as ToldBy] += expected
      }
    }
    for (const count of Object.values(sum)) expect(count).toBeGreaterThan(50)
  })

  it.each(['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const)(
    '[CM13] is less by each %s that is lost',
    (event) => {
      const recording = allRecordings().find(({ name }) => name === 'bash_approve')
      const reports = reportsOf(recording as never)
      const lost = reports.findIndex((report) => eventOf(report) === event)
      const before = ratiosOf(reports)[event]
      const rest = ratiosOf(reports.toSpliced(lost, 1))[event]
      expect(before.expected).toBeGreaterThan(0)
      expect(rest).toEqual({ expected: before.expected, told: before.told - 1 })
    },
  )

  it('[CM13] counts each Stop for one turn, and none for a turn that was interrupted', () => {
    const t = 1_000_000
    const told = (at: number): Report => ({
      t: at,
      source: 'hook',
      payload: { session_id: 's', hook_event_name: 'Stop' },
    })
    const noted = (at: number, more: object): Report => {
      const timestamp = new Date(at).toISOString()
      return {
        t: at,
        source: 'transcript',
        path: '/p',
        entry: { sessionId: 's', timestamp, ...more },
      }
    }
    const over = (at: number) => noted(at, { type: 'system', subtype: 'turn_duration' })
    const text = '[Request interrupted by user]'
    const esc = noted(t + 99, { type: 'user', message: { content: [{ type: 'text', text }] } })
    expect(ratiosOf([told(t), over(t + 50), over(t + 100)]).Stop).toEqual({ expected: 2, told: 1 })
    expect(ratiosOf([told(t), over(t + 50), over(t + 5_000), told(t + 5_000)]).Stop.told).toBe(2)
    expect(ratiosOf([told(t), esc, over(t + 100)]).Stop.expected).toBe(0)
  })

  it('[IN10] has a delay by the hooks of its own session, after that session’s first', () => {
    const t = 10_000_000
    const line = (at: number, sessionId: string): Report => {
      const message = { content: [{ type: 'tool_use', id: 'x', name: 'Bash', input: {} }] }
      const entry = { type: 'assistant', sessionId, timestamp: new Date(at).toISOString(), message }
      return { t: at, source: 'transcript', path: '/p', entry }
    }
    const hook = (at: number, event: string): Report => {
      const payload = { session_id: 's', hook_event_name: event, tool_use_id: 'x' }
      return { t: at, source: 'hook', payload }
    }
    const delaysOf = (...reports: Report[]) => {
      const deliveries = new ClaudeDeliveries()
      for (const report of reports)
        report.source === 'hook' ? deliveries.hook(report) : deliveries.transcript(report)
      return deliveries.delaysMs()
    }
    const hooks = [hook(t - 1, 'SessionStart'), hook(t + 40, 'PreToolUse')]
    expect(delaysOf(...hooks, line(t, 's'))).toEqual([40])
    // A copy in another session, and a copy from before this one: no hook is late by an hour.
    expect(delaysOf(...hooks, line(t - 3_600_000, 'other'))).toEqual([])
    expect(delaysOf(...hooks, line(t - 3_600_000, 's'))).toEqual([])
  })

  it('[CM13] is not asked of sessions without hooks, nor of tools with the short set', () => {
    const t = 1_000_000
    const entry = {
      type: 'assistant',
      sessionId: 's',
      timestamp: new Date(t).toISOString(),
      message: { content: [{ type: 'tool_use', id: 'x', name: 'Bash', input: {} }] },
    }
    const transcript: Report = { t, source: 'transcript', path: '/p', entry }
    const hook = (at: number, session_id = 's', event = 'PostToolUse'): Report => ({
      t: at,
      source: 'hook',
      payload: { session_id, hook_event_name: event },
    })
    const expected = (reports: Report[], now = NEVER) => ratiosOf(reports, now).PreToolUse.expected
    expect(expected([transcript])).toBe(0)
    expect(expected([hook(t, 'other'), transcript])).toBe(0)
    expect(expected([hook(t + 1), transcript])).toBe(0)
    expect(expected([hook(t - 1), transcript], t + 9_000)).toBe(0)
    expect(expected([hook(t - 1), transcript], t + 11_000)).toBe(1)
    // The short set has no hook for a tool; a session may get it while it runs.
    expect(expected([hook(t - 1, 's', 'Stop'), transcript])).toBe(0)
    expect(expected([hook(t - 10_001), hook(t + 1, 's', 'Stop'), transcript])).toBe(0)
  })
})
