import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/core/signal.ts'
import { Insights } from '../../src/daemon/insight/insights.ts'
import { Presence } from '../../src/daemon/insight/presence.ts'
import { Zone } from '../../src/insight/calendar.ts'
import type { Session } from '../../src/protocol/session.ts'
import type { LoggedChange, Store } from '../../src/store/store.ts'
import { aCommit, aPath, aSession, aStore, aVerdict, open } from '../store/samples.ts'
import { memoryStore } from '../support/insights.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const MINUTE_MS = 60_000
const UTC = new Zone('UTC')

describe('figures from the log', () => {
  it('[IN2][IN9] are those of what was committed, in the folder of each session', async () => {
    const store = memoryStore()
    store.commit(
      aCommit({
        changes: [
          ...life('one', [
            [-60, 'working'],
            [-40, 'waiting'],
            [-30, 'working'],
            [-20, 'idle'],
          ]),
          ...life('two', [[-10, 'working']]),
        ],
      }),
    )
    const { totals, byProject, longestWaits } = await figuresOf(store)
    expect(totals).toMatchObject({ sessions: 2, turns: 2 })
    expect(totals.workedMs).toBe(40 * MINUTE_MS)
    expect(totals.waitedMs).toBe(10 * MINUTE_MS)
    expect(byProject.map(({ project, workedMs }) => [project, workedMs / MINUTE_MS])).toEqual([
      ['one’s', 30],
      ['two’s', 10],
    ])
    expect(longestWaits).toMatchObject([{ session: 'one', kind: 'permission', open: false }])
  })

  it('[IN2] one that has been at it since before counts, though nothing was said', async () => {
    const store = memoryStore()
    store.commit(aCommit({ changes: life('one', [[-3 * 24 * 60, 'working']]) }))
    const { totals } = await figuresOf(store)
    expect(totals).toMatchObject({ workedMs: 12 * 60 * MINUTE_MS, sessions: 1, turns: 0 })
  })

  it('[IN4] a stand-in’s time is its session’s, and it is none itself', async () => {
    const store = memoryStore()
    const standIn = life('process:7', [[-30, 'working']])
    const gone = { ...change('process:7', -20, 'idle'), kind: 'gone' as const, became: 'one' }
    store.commit(aCommit({ changes: [...standIn, gone, ...life('one', [[-20, 'working']])] }))
    const { totals, byProject } = await figuresOf(store)
    expect(totals).toMatchObject({ sessions: 1, workedMs: 30 * MINUTE_MS })
    expect(byProject.map(({ project }) => project)).toEqual(['one’s'])
  })

  it('[IN16] what was imported counts nowhere', async () => {
    const store = memoryStore()
    const past = life('old/one', [[-60, 'working']]).map((one) => ({
      ...one,
      kind: 'past' as const,
    }))
    const usage = transcript('old/one', 'm1', 100)
    store.commit(aCommit({ changes: past as LoggedChange[], reports: [usage] }))
    const { totals } = await figuresOf(store)
    expect(totals).toMatchObject({ sessions: 0, workedMs: 0, tokens: null })
  })

  it('[IN7] the cost of a session that lives is what it is by now', async () => {
    const store = memoryStore()
    store.commit(aCommit({ changes: life('one', [[-60, 'working']]) }))
    const costUsd = 2.5
    const { totals } = await figuresOf(store, (id) => ({ ...look(id), live: true, costUsd }))
    expect(totals.costUsd).toBe(2.5)
  })

  it('[IN8] a message in several lines and a fork’s copy counts once, at its most', async () => {
    const store = memoryStore()
    store.commit(
      aCommit({
        changes: [...life('one', [[-60, 'working']]), ...life('fork', [[-10, 'working']])],
        reports: [
          transcript('one', 'm1', 1),
          transcript('one', 'm1', 40),
          transcript('one', 'm2', 5),
          transcript('fork', 'm1', 40),
          // Not a count that a model gives.
          transcript('one', 'm3', -7),
          transcript('one', 'm4', Number.MAX_SAFE_INTEGER),
        ],
      }),
    )
    const { totals } = await figuresOf(store)
    expect(totals.tokens).toEqual({ input: 40, output: 45, cacheRead: 0, cacheWritten: 0 })
  })
})

describe('time without a daemon', () => {
  it('[IN3] is from one daemon’s last sign to the next one’s start, and while asleep', async () => {
    const store = memoryStore()
    const presence = new Presence(store.insight, () => {})
    presence.begin(NOW - 500 * MINUTE_MS)
    expect(store.insight.absences(0)).toEqual([])
    store.commit(aCommit({ changes: life('one', [[-120, 'working']]) }))
    presence.end(NOW - 90 * MINUTE_MS)
    presence.begin(NOW - 60 * MINUTE_MS)
    presence.slept(5 * MINUTE_MS, NOW - 30 * MINUTE_MS)
    const { totals, unwatchedMs } = await figuresOf(store)
    expect(totals.workedMs).toBe((120 - 30 - 5) * MINUTE_MS)
    expect(unwatchedMs).toBe(35 * MINUTE_MS)
  })

  it('[IN3] a daemon that was killed was there at its last report', async () => {
    const store = memoryStore()
    store.commit(aCommit({ reports: [transcript('one', 'm1', 1, -100)] }))
    new Presence(store.insight, () => {}).begin(NOW - 40 * MINUTE_MS)
    expect(store.insight.absences(0)).toEqual([
      { from: NOW - 100 * MINUTE_MS, to: NOW - 40 * MINUTE_MS },
    ])
  })

  it('[IN3] a log that cannot be written is said and stops nothing', () => {
    const store = aStore()
    store.close()
    const complaints: string[] = []
    const presence = new Presence(store.insight, (what) => complaints.push(what))
    presence.begin(NOW)
    presence.slept(MINUTE_MS, NOW)
    presence.end(NOW)
    expect(complaints).toHaveLength(3)
  })
})

describe('what figures are made from', () => {
  it('[IN13] goes with the changes that retention takes', async () => {
    const store = memoryStore()
    const sessions = [aSession('one', { open: false, lastAt: NOW })]
    const reports = [transcript('one', 'm1', 10, -60)]
    store.commit(
      aCommit({
        changes: life('one', [
          [-60, 'working'],
          [-30, 'idle'],
        ]),
        sessions,
        reports,
      }),
    )
    store.insight.absent(NOW - 50 * MINUTE_MS, NOW - 49 * MINUTE_MS)
    expect((await figuresOf(store)).totals).toMatchObject({ sessions: 1, tokens: { output: 10 } })
    const keep = { now: NOW, keepMs: 0, sizeMaxBytes: 1e9, sliceRows: 1_000 }
    while (store.prune(keep).more);
    expect((await figuresOf(store)).totals).toMatchObject({
      sessions: 0,
      workedMs: 0,
      tokens: null,
    })
    expect(store.insight.sessionAfter('')).toBeUndefined()
    expect(store.insight.absences(0)).toEqual([])
  })

  it('[IN13] is there again when a damaged log was rebuilt', async () => {
    const path = aPath()
    const { store } = open(path, { now: NOW - 1e9 })
    const changes = life('one', [
      [-60, 'working'],
      [-30, 'idle'],
    ])
    const sessions = [aSession('one')]
    store.commit(aCommit({ changes, sessions, reports: [transcript('one', 'm1', 10, -60)] }))
    store.insight.absent(NOW - 50 * MINUTE_MS, NOW - 49 * MINUTE_MS)
    const before = await figuresOf(store)
    store.close()
    const spoiled = new DatabaseSync(path)
    spoiled.exec('PRAGMA user_version = 99')
    spoiled.close()
    const { store: rebuilt, notice } = open(path, { now: NOW, checkWhole: true })
    expect(notice).toContain('rebuilt')
    expect(await figuresOf(rebuilt)).toEqual(before)
  })
})

describe('the timeline of a session', () => {
  it('[IN23] reads the newest reports, and says from where on it has', async () => {
    const store = memoryStore()
    const reports = Array.from({ length: 20_300 }, (_, i) => {
      const t = NOW - (20_300 - i) * 1_000
      const payload = { session_id: 'one', hook_event_name: 'PreToolUse' }
      const tool = { tool_name: 'Bash', tool_use_id: `t${i}`, tool_input: {} }
      const report: Report = { t, source: 'hook', payload: { ...payload, ...tool } }
      return { report, session: 'one', key: undefined }
    })
    store.commit(aCommit({ changes: life('one', [[-400, 'working']]), reports }))
    const insights = new Insights({ tables: store.insight, look, now: () => NOW })
    const whole = await insights.timeline('one', { from: undefined, to: NOW })
    expect(whole.stepsFrom).toBe(NOW - 20_000 * 1_000)
    expect(whole.thinned).toBeGreaterThan(19_000)
    const near = await insights.timeline('one', { from: NOW - 60_000, to: NOW })
    expect(near.stepsFrom).toBeNull()
    expect(near.lanes[0]?.spans).toMatchObject([{ word: 'working', to: null }])
  })

  it('[IN16] one that was imported has one', async () => {
    const store = memoryStore()
    const past = life('old/one', [
      [-60, 'working'],
      [-30, 'idle'],
    ]).map((one) => ({ ...one, kind: 'past' as const }))
    store.commit(aCommit({ changes: past as LoggedChange[] }))
    const insights = new Insights({ tables: store.insight, look, now: () => NOW })
    const { lanes } = await insights.timeline('old/one', { from: undefined, to: NOW })
    expect(lanes[0]?.spans.map(({ word }) => word)).toEqual(['working', 'idle'])
  })
})

describe('reading', () => {
  it('[IN12] lets everybody else in between its pages', async () => {
    const store = memoryStore()
    for (let s = 0; s < 40; s += 1) {
      const said = Array.from({ length: 500 }, (_, i) => {
        return [-700 + i, i % 2 === 0 ? 'working' : 'idle'] as const
      })
      store.commit(aCommit({ changes: life(`s${s}`, said) }))
    }
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const { totals } = await figuresOf(store)
    isOver = true
    expect(totals.turns).toBe(40 * 250)
    expect(turns).toBeGreaterThan(1)
  })

  it('[IN12] equal requests at the same time get the same result', async () => {
    const insights = new Insights({ tables: memoryStore().insight, look, now: () => NOW })
    const [a, b, week] = [
      insights.of('today', UTC),
      insights.of('today', new Zone('UTC')),
      insights.of('week', UTC),
    ]
    expect(a).toBe(b)
    expect(await week).toMatchObject({ period: 'week' })
    expect((await week).byDay).toHaveLength(7)
    expect((await a).byDay).toHaveLength(1)
  })
})

function figuresOf(store: Store, known: (id: string) => Session = look) {
  return new Insights({ tables: store.insight, look: known, now: () => NOW }).of('today', UTC)
}

function look(id: string): Session {
  return { id, project: `${id}’s`, live: false, costUsd: null } as Session
}

let ids = NOW

function change(
  session: string,
  minutes: number,
  state: string,
): LoggedChange & { kind: 'verdict' } {
  const t = NOW + minutes * MINUTE_MS
  ids += 1
  const waits = state === 'waiting' ? { for: 'permission' as const } : {}
  const verdict = { ...aVerdict(session, t), state: state as 'working', ...waits }
  return { id: ids, t, session, kind: 'verdict', verdict }
}

function life(session: string, said: readonly (readonly [number, string])[]): LoggedChange[] {
  return said.map(([minutes, state]) => change(session, minutes, state))
}

function transcript(session: string, message: string, output: number, minutes = -30) {
  const t = NOW + minutes * MINUTE_MS
  const usage = { input_tokens: 10, output_tokens: output }
  const entry = { type: 'assistant', sessionId: session, message: { id: message, usage } }
  const report: Report = { t, source: 'transcript', entry }
  return { report, session, key: undefined }
}
