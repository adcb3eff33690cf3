import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Zone } from '../../src/insight/calendar.ts'
import { valueAt } from '../../src/insight/rank.ts'
import { Tally } from '../../src/insight/tally.ts'
import type { WalkedChange } from '../../src/insight/walk.ts'
import type { HookFigures } from '../../src/protocol/insight.ts'

const NOON = Date.UTC(2026, 10, 15, 12)
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

describe('an answer', () => {
  it('[IN5] took from the request on, though it was reported later', () => {
    const { answers } = figuresOf([
      said(0, 'working'),
      said(60, 'waiting', { for: 'permission', since: at(58) }),
      said(70, 'working'),
    ])
    expect(answers).toMatchObject({ count: 1, medianMs: 12_000, p90Ms: 12_000 })
  })

  it('[IN5] given within the stretch counts whole, though it was asked before', () => {
    const midnight = Date.UTC(2026, 10, 15)
    const { answers, totals } = figuresOf([
      { ...said(0, 'waiting', { for: 'question' }), t: midnight - HOUR_MS },
      // Looked at: the same wait, told again.
      { ...said(0, 'waiting', { for: 'question', since: midnight - HOUR_MS }), t: midnight - 5 },
      { ...said(0, 'working'), t: midnight + HOUR_MS },
    ])
    expect(answers.medianMs).toBe(2 * HOUR_MS)
    expect(totals.waitedMs).toBe(HOUR_MS)
  })

  it('[IN5] is not counted when the dialog was gone before it could be read', () => {
    const { answers, totals } = figuresOf([
      said(0, 'waiting', { for: 'permission' }),
      said(0.499, 'working'),
      said(10, 'waiting', { for: 'permission' }),
      said(10.5, 'working'),
    ])
    expect(answers.count).toBe(1)
    expect(totals.waitedMs).toBe(999)
  })

  it.each(['closed', 'unknown', 'starting', 'gone'] as const)(
    '[IN5] is not what ends in %s',
    (state) => {
      const { answers } = figuresOf([said(0, 'waiting', { for: 'plan' }), said(9, state)])
      expect(answers).toMatchObject({ count: 0, medianMs: null, p90Ms: null, byKind: [] })
    },
  )

  it.each(['working', 'idle', 'background', 'error'] as const)('[IN5] leads to %s', (state) => {
    const { answers } = figuresOf([said(0, 'waiting', { for: 'plan' }), said(9, state)])
    expect(answers.byKind).toEqual([{ kind: 'plan', count: 1, medianMs: 9_000, p90Ms: 9_000 }])
  })

  it('[IN5] at a rank is what sorting gives', () => {
    const doubles = fc.array(fc.double({ noNaN: true, min: 0, max: 50 }), { maxLength: 80 })
    fc.assert(
      fc.property(doubles, fc.constantFrom(0.5, 0.9, 0.99, 1), (given, share) => {
        const inOrder = given.toSorted((a, b) => a - b)
        const rank = Math.max(0, Math.ceil(share * given.length) - 1)
        const values = Float64Array.from(given)
        expect(valueAt(values, share)).toBe(inOrder[rank] ?? null)
        // A larger share is looked for above the smaller one.
        expect(valueAt(values, 1, share)).toBe(inOrder.at(-1) ?? null)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the longest waits', () => {
  it('[IN6] are ten, the longest first, those that go on among them', () => {
    const tally = aTally()
    for (let i = 0; i < 30; i += 1) {
      const walk = tally.session(`s${i}`, 'engine')
      walk.said(said(-3_600 + i, 'waiting', { for: 'permission' }))
      if (i !== 4) walk.said(said(-3_600 + i + 10 + i * 7, 'working'))
      walk.end()
    }
    const { longestWaits } = tally.insight(NO_HOOKS)
    expect(longestWaits).toHaveLength(10)
    expect(longestWaits[0]).toMatchObject({ session: 's4', open: true, ms: 3_596_000 })
    expect(longestWaits.slice(1).map(({ session }) => session)).toEqual(
      [29, 28, 27, 26, 25, 24, 23, 22, 21].map((i) => `s${i}`),
    )
    const lengths = longestWaits.map(({ ms }) => ms)
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a))
  })
})

describe('cost', () => {
  it('[IN7] is what the figure grew by within the stretch, and the whole of one begun anew', () => {
    const { totals, byDay } = figuresOf([
      { ...said(0, 'working', { costUsd: 5 }), t: Date.UTC(2026, 10, 14) },
      said(-60, 'idle', { costUsd: 5.5 }),
      said(-50, 'working', { costUsd: 0.25 }),
      said(-40, 'idle', { costUsd: 0.75 }),
    ])
    expect(totals.costUsd).toBeCloseTo(1.25)
    expect(byDay[0]?.costUsd).toBeCloseTo(1.25)
  })

  it('[IN7] of one that lives is what it is by now', () => {
    const tally = aTally()
    const walk = tally.session('one', 'engine')
    walk.said(said(-60, 'working', { costUsd: 1 }))
    walk.end(1.5)
    expect(tally.insight(NO_HOOKS).totals.costUsd).toBeCloseTo(1.5)
  })

  it('[IN7] is unknown if no report has it', () => {
    const { totals, byDay } = figuresOf([said(-60, 'working'), said(-50, 'idle')])
    expect([totals.costUsd, byDay[0]?.costUsd]).toEqual([null, null])
  })
})

describe('tokens', () => {
  it('[IN8] are added up, and not known where no transcript told of any', () => {
    const tally = aTally()
    const walk = tally.session('one', 'engine')
    walk.said(said(-60, 'working'))
    walk.end()
    expect(tally.insight(NO_HOOKS).totals.tokens).toBeNull()
    const counts = { input: 100, output: 20, cacheRead: 3, cacheWritten: 4 }
    tally.used('engine', at(-30), counts)
    tally.used('engine', at(-20), counts)
    tally.used('engine', Date.UTC(2026, 10, 14), counts)
    const { totals, byProject, byDay } = tally.insight(NO_HOOKS)
    const twice = { input: 200, output: 40, cacheRead: 6, cacheWritten: 8 }
    expect([totals.tokens, byProject[0]?.tokens, byDay[0]?.tokens]).toEqual([twice, twice, twice])
  })
})

describe('projects', () => {
  it('[IN9] are listed with most time first, fifty of them, and how many more there are', () => {
    const tally = aTally()
    for (let i = 0; i < 60; i += 1) {
      const walk = tally.session(`s${i}`, `project-${i}`)
      walk.said(said(-3_600, 'working'))
      walk.said(said(-3_600 + i + 1, 'idle'))
      walk.end()
    }
    const idle = tally.session('idle', 'asleep')
    idle.said(said(-60, 'idle'))
    idle.end()
    const { byProject, projectsLeftOut } = tally.insight(NO_HOOKS)
    expect(byProject).toHaveLength(50)
    expect(byProject[0]).toMatchObject({ project: 'project-59', sessions: 1, workedMs: 60_000 })
    expect(projectsLeftOut).toBe(10)
  })
})

const NO_HOOKS: HookFigures = {
  ...{ reports: 0, lastAt: null, expected: 0, told: 0 },
  ...{ medianDelayMs: null, p99DelayMs: null, comparedFrom: null },
}

function aTally(): Tally {
  return new Tally({ period: 'today', zone: new Zone('UTC'), now: NOON, absences: [] })
}

function at(seconds: number): number {
  return NOON - HOUR_MS * (seconds < 0 ? 0 : 1) + seconds * SECOND_MS
}

function said(
  seconds: number,
  state: WalkedChange['state'],
  more: Partial<WalkedChange> = {},
): WalkedChange {
  const t = at(seconds)
  return { t, state, for: null, since: t, costUsd: null, ...more }
}

function figuresOf(all: readonly WalkedChange[]) {
  const tally = aTally()
  const walk = tally.session('one', 'engine')
  for (const one of all) walk.said(one)
  walk.end()
  return tally.insight(NO_HOOKS)
}
