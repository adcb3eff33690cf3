import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translateClaude } from '../agents/claude/translate.ts'
import { Appointments } from './appointments.ts'
import type { Report } from './signal.ts'
import { Tracker } from './tracker.ts'

const T = Date.UTC(2026, 0, 5, 9)
const HOUR_MS = 3_600_000

const hook = (t: number, event: string, fields: object = {}): Report => ({
  t,
  source: 'hook',
  env: { ppid: 4711 },
  payload: { session_id: 's', hook_event_name: event, ...fields },
})

const stateOf = (tracker: Tracker) => tracker.verdict('s')?.state

describe('a clock that was set', () => {
  const working = () => {
    const tracker = new Tracker(translateClaude)
    tracker.take(hook(T, 'SessionStart', { source: 'startup' }))
    tracker.take(hook(T + 1_000, 'UserPromptSubmit', { prompt: 'x' }))
    return tracker
  }

  it('[M8] back by an hour: what comes after it is still newer than what came before', () => {
    const tracker = working()
    const back = T + 2_000 - HOUR_MS
    tracker.take({ t: back, source: 'process', steppedMs: -HOUR_MS })
    expect(stateOf(tracker)).toBe('working')
    tracker.take(hook(back + 500, 'Stop'))
    expect(stateOf(tracker)).toBe('idle')
  })

  it('[M8] without word of the step the Stop would be old news', () => {
    const tracker = working()
    tracker.take(hook(T + 2_500 - HOUR_MS, 'Stop'))
    expect(stateOf(tracker)).toBe('working')
  })

  it('[M8] names that a process holds move along', () => {
    const tracker = working()
    tracker.take({ t: T - HOUR_MS, source: 'process', steppedMs: -HOUR_MS })
    tracker.take({ t: T - HOUR_MS + 3_000, source: 'process', pid: 4711, alive: false })
    expect(stateOf(tracker)).toBe('closed')
  })

  it('[M1] forward, as after sleep: no session wakes up stuck', () => {
    const tracker = working()
    const woken = T + 8 * HOUR_MS
    tracker.take({ t: woken, source: 'process', woke: true })
    tracker.runTo(woken + 60_000)
    expect(stateOf(tracker)).toBe('working')
    tracker.runTo(woken + 121_000)
    expect(stateOf(tracker)).toBe('stuck')
  })
})

describe('a name used before the session’s own was known', () => {
  it('is given up, once, with the name it became', () => {
    const tracker = new Tracker(translateClaude)
    const found = { pid: 4711, alive: true, command: 'claude', cwd: '/engine' }
    tracker.take({ t: T, source: 'process', ...found })
    expect(tracker.verdict('process:4711')).toMatchObject({
      state: 'starting',
      details: { cwd: '/engine' },
    })
    tracker.take(hook(T + 100, 'SessionStart', { source: 'startup' }))
    expect(tracker.takeGone()).toEqual([{ id: 'process:4711', became: 's' }])
    expect(tracker.takeGone()).toEqual([])
    expect(tracker.verdict('process:4711')).toBeUndefined()
  })
})

describe('appointments', () => {
  it('come up in order of time, each session once, however often they were moved', () => {
    const moves = fc.array(fc.tuple(fc.nat(9), fc.option(fc.nat(50), { nil: undefined })))
    fc.assert(
      fc.property(moves, (list) => {
        const appointments = new Appointments()
        const model = new Map<string, number>()
        for (const [id, at] of list) {
          appointments.set(String(id), at)
          if (at === undefined) model.delete(String(id))
          else model.set(String(id), at)
        }
        const kept: [string, number][] = []
        for (let due = appointments.first(); due; due = appointments.first()) {
          kept.push([due.id, due.at])
          appointments.set(due.id, undefined)
        }
        expect(kept.map(([, at]) => at)).toEqual([...model.values()].sort((a, b) => a - b))
        expect(new Map(kept)).toEqual(model)
      }),
    )
  })
})
