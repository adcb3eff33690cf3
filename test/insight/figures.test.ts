import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Zone } from '../../src/insight/calendar.ts'
import { Tally } from '../../src/insight/tally.ts'
import type { WalkedChange } from '../../src/insight/walk.ts'
import type { Period } from '../../src/protocol/constants.ts'
import type { HookFigures } from '../../src/protocol/insight.ts'
import { type Life, slowAnswers, slowFigures } from './slow-figures.ts'

const MINUTE_MS = 60_000

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  // Clocks go forward at midnight, at half past of Greenwich's, by half an hour; a quarter off.
  'America/Havana',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
]

/** Around the days on which clocks are set in one of the zones, and one that is like any other. */
const DAYS = [
  Date.UTC(2026, 2, 8),
  Date.UTC(2026, 2, 29),
  Date.UTC(2026, 3, 5),
  Date.UTC(2026, 9, 4),
  Date.UTC(2026, 9, 25),
  Date.UTC(2026, 10, 1),
  Date.UTC(2026, 10, 15),
]

const NO_HOOKS: HookFigures = {
  reports: 0,
  lastAt: null,
  expected: 0,
  told: 0,
  medianDelayMs: null,
  p99DelayMs: null,
  comparedFrom: null,
}

const STATES = [
  'starting',
  'working',
  'waiting',
  'background',
  'idle',
  'error',
  'stuck',
  'closed',
  'unknown',
  'gone',
] as const
const KINDS = ['permission', 'question', 'plan', 'dialog'] as const

const step = fc.record({
  minutes: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 4_000 })),
  state: fc.constantFrom(...STATES),
  kind: fc.constantFrom(...KINDS),
})

const question = fc.record({
  period: fc.constantFrom<Period>('today', 'week'),
  zone: fc.constantFrom(...ZONES),
  day: fc.constantFrom(...DAYS),
  minute: fc.integer({ min: 1, max: 2_879 }),
  lives: fc.array(
    fc.record({
      project: fc.constantFrom('engine', 'parser', null),
      earlier: fc.integer({ min: 0, max: 14_000 }),
      steps: fc.array(step, { minLength: 1, maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  gone: fc.array(
    fc.record({
      ago: fc.integer({ min: 0, max: 12_000 }),
      minutes: fc.integer({ min: 1, max: 900 }),
    }),
    { maxLength: 4 },
  ),
})

type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

function livesOf({ lives }: Pick<Question, 'lives'>, now: number): Life[] {
  return lives.map(({ project, earlier, steps }, i) => {
    let t = now - earlier * MINUTE_MS
    const said: WalkedChange[] = []
    for (const { minutes, state, kind } of steps) {
      t += minutes * MINUTE_MS
      const what = state === 'waiting' ? kind : null
      const before = said.at(-1)
      const goesOn = before?.state === state && before.for === what
      said.push({ t, state, for: what, since: goesOn ? before.since : t, costUsd: null })
    }
    return { id: `session-${i}`, project, said }
  })
}

function absencesOf({ gone }: Pick<Question, 'gone'>, now: number) {
  return gone.map(({ ago, minutes }) => {
    const from = now - ago * MINUTE_MS
    return { from, to: from + minutes * MINUTE_MS }
  })
}

describe('figures', () => {
  it('[IN1][IN2][IN3][IN4] are those that a look at every minute gives', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const now = asked.day + asked.minute * MINUTE_MS
        const lives = livesOf(asked, now)
        const absences = absencesOf(asked, now)
        const days = asked.period === 'today' ? 1 : 7
        const slow = slowFigures({ days, zone: asked.zone, now, absences, lives })
        const { insight } = told(asked.period, asked.zone, now, absences, lives)
        const { sessions, turns, workedMs, waitedMs } = insight.totals
        expect(insight.from).toBe(slow.from)
        expect({ sessions, turns, workedMs, waitedMs }).toEqual(slow.totals)
        expect(insight.byHour).toEqual(slow.byHour)
        const byDay = insight.byDay.map(({ day, ...rest }) => [day, times(rest)] as const)
        expect(byDay).toEqual([...slow.byDay])
        for (const row of insight.byProject)
          expect(times(row)).toEqual(slow.byProject.get(row.project))
      }),
      { numRuns: 150 },
    )
  })

  it.each(ZONES)('[IN1][IN2] one that works through all weeks fills their hours in %s', (zone) => {
    for (const day of DAYS) {
      const now = day + 86_400_000 + 13 * MINUTE_MS
      const t = now - 9 * 86_400_000
      const said: WalkedChange[] = [{ t, state: 'working', for: null, since: t, costUsd: null }]
      const lives = [{ id: 'one', project: null, said }]
      const slow = slowFigures({ days: 7, zone, now, absences: [], lives })
      const { insight } = told('week', zone, now, [], lives)
      expect(insight.byHour).toEqual(slow.byHour)
      expect(insight.byDay.map(times)).toEqual([...slow.byDay.values()])
    }
  })

  it('[IN5] answers are those that a look at every minute gives', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const now = asked.day + asked.minute * MINUTE_MS
        const lives = livesOf(asked, now)
        const absences = absencesOf(asked, now)
        const { insight } = told(asked.period, asked.zone, now, absences, lives)
        const { from } = insight
        const slow = slowAnswers({ days: 0, zone: asked.zone, now, absences, lives, from })
        expect(insight.answers.count).toBe(slow.length)
        const inOrder = slow.map(({ ms }) => ms).toSorted((a, b) => a - b)
        expect(insight.answers.medianMs).toBe(inOrder[Math.ceil(slow.length * 0.5) - 1] ?? null)
        expect(insight.answers.p90Ms).toBe(inOrder[Math.ceil(slow.length * 0.9) - 1] ?? null)
        for (const { kind, count } of insight.answers.byKind)
          expect(count).toBe(slow.filter((answer) => answer.kind === kind).length)
      }),
      { numRuns: 150 },
    )
  })
})

function times({ workedMs, waitedMs }: { workedMs: number; waitedMs: number }) {
  return { workedMs, waitedMs }
}

function told(
  period: Period,
  zone: string,
  now: number,
  absences: readonly { from: number; to: number }[],
  lives: readonly Life[],
) {
  const tally = new Tally({ period, zone: new Zone(zone), now, absences })
  for (const { id, project, said } of lives) {
    const walk = tally.session(id, project)
    // As the log is read: of what lies before, only the last.
    const before = said.findLast(({ t }) => t < tally.calendar.from)
    if (before) walk.said(before)
    for (const one of said) if (one.t >= tally.calendar.from) walk.said(one)
    walk.end()
  }
  return { insight: tally.insight(NO_HOOKS) }
}
