import { describe, expect, it } from 'vitest'
import type { RecordedLine } from '../agents/truth-reader.ts'
import type { Change } from '../core/tracker.ts'
import type { State, Verdict } from '../core/verdict.ts'
import { newestSession, percent, type Score, scoreOf, sumOf, type TimeSpan } from './meter.ts'
import { truthOf } from './truth.ts'

// Times are seconds from the first true state, so that a test reads as a timetable.
const BEGIN = 1_000_000
const at = (seconds: number) => BEGIN + Math.round(seconds * 1000)

function is(seconds: number, status: string, waitingFor?: string): RecordedLine {
  const file = { status, ...(waitingFor && { waitingFor }) }
  return { t: at(seconds), source: 'registry', pid: 1, file }
}

function said(seconds: number, state: State, more: Partial<Verdict> = {}): Change {
  const verdict: Verdict = {
    session: 'one',
    state,
    since: at(seconds),
    rule: 'T1',
    reason: 'the test says so',
    grounds: [],
    unread: false,
    typing: false,
    tasks: [],
    details: {},
    ...more,
  }
  return { t: at(seconds), verdict }
}

/** Idle, working from 10 to 20, idle: 25 s with the tail, 24.1 s of them are counted. */
const DAY = [is(0, 'idle'), is(10, 'busy'), is(20, 'idle')]
const TAIL_MS = 5_000
const COUNTED_MS = 24_100

interface More {
  readonly lines?: readonly RecordedLine[]
  readonly tailMs?: number
  readonly leftOut?: readonly TimeSpan[]
}

function score(changes: readonly Change[], more: More = {}): Score {
  const { lines = DAY, tailMs = TAIL_MS, leftOut = [] } = more
  const endAt = (lines.at(-1)?.t ?? 0) + tailMs
  const truths = truthOf(lines)
  const score = scoreOf({ truths, said: newestSession(changes), endAt, leftOut })
  if (!score) throw new Error('no truth')
  return score
}

const wrongMs = ({ rightMs, totalMs }: Score) => totalMs - rightMs

describe('the time that counts', () => {
  it('runs from the first true state to the end of the tail, less 0.3 s a true change', () => {
    const right = score([said(0, 'idle'), said(10, 'working'), said(20, 'idle')])
    expect(right).toMatchObject({ rightMs: COUNTED_MS, totalMs: COUNTED_MS, worst: undefined })
    expect(right).toMatchObject({ finalRight: true, final: 'idle/idle' })
  })

  it.each([
    [0, 19_400],
    [1_000, 20_100],
    [20_000, 39_100],
  ])('with a tail of %i ms is %i ms', (tailMs, totalMs) => {
    expect(score([said(0, 'idle')], { tailMs }).totalMs).toBe(totalMs)
  })

  it('has its tail begin at the last line of any kind', () => {
    const note: RecordedLine = { t: at(22), source: 'action', what: 'key' }
    expect(score([said(0, 'idle')], { lines: [...DAY, note] }).totalMs).toBe(COUNTED_MS + 2_000)
  })

  it('does not begin before the first true state', () => {
    const note: RecordedLine = { t: at(-60), source: 'meta' }
    const early = [said(-60, 'starting'), said(-1, 'idle'), said(10, 'working'), said(20, 'idle')]
    const lines = [note, ...DAY]
    expect(score(early, { lines })).toMatchObject({ rightMs: COUNTED_MS, worst: undefined })
  })

  it('is none where nothing is true', () => {
    expect(scoreOf({ truths: [], said: [], endAt: at(5) })).toBeUndefined()
    expect(scoreOf({ truths: [], said: [said(0, 'idle')], endAt: at(5) })).toBeUndefined()
  })
})

describe('right', () => {
  it.each([
    [10.3, 0],
    [10.301, 1],
    [11, 700],
  ])('a verdict at %d s on work from 10 s is wrong for %i ms', (seconds, ms) => {
    const late = score([said(0, 'idle'), said(seconds, 'working'), said(20, 'idle')])
    expect(wrongMs(late)).toBe(ms)
  })

  it.each([
    [19.3, 0],
    [19.299, 1],
    [18, 1_300],
  ])('a verdict at %d s on idle from 20 s is wrong for %i ms', (seconds, ms) => {
    const early = score([said(0, 'idle'), said(10, 'working'), said(seconds, 'idle')])
    expect(wrongMs(early)).toBe(ms)
  })

  it('ahead of its time is only the state that comes next', () => {
    const changes = [said(0, 'idle'), said(10, 'working'), said(19.5, 'error'), said(20, 'idle')]
    expect(wrongMs(score(changes))).toBe(500)
  })

  it.each<State>(['background', 'stuck'])('%s is what the client calls busy', (state) => {
    const changes = [said(0, 'idle'), said(10, state), said(20, 'idle')]
    expect(score(changes)).toMatchObject({ rightMs: COUNTED_MS })
    expect(score(changes.slice(0, 2), { lines: DAY.slice(0, 2) })).toMatchObject({
      finalRight: true,
      final: `working/${state}`,
    })
  })

  it.each<State>(['starting', 'unknown', 'closed', 'error'])('%s is not idle', (state) => {
    const wrong = score([said(0, state)], { lines: [is(0, 'idle')] })
    expect(wrong).toMatchObject({ rightMs: 0, totalMs: 4_700 })
  })

  it('is given for each true state', () => {
    const { byState } = score([said(0, 'idle'), said(12, 'working'), said(20, 'idle')])
    expect(byState.get('idle')).toEqual({ rightMs: 14_400, totalMs: 14_400 })
    expect(byState.get('working')).toEqual({ rightMs: 8_000, totalMs: 9_700 })
    expect(byState.size).toBe(2)
  })
})

describe('the longest wrong streak', () => {
  it('is the longest of several, not their sum', () => {
    const changes = [
      ...[said(0, 'idle'), said(10, 'working')],
      ...[said(12, 'idle'), said(12.4, 'working'), said(15, 'error'), said(15.9, 'working')],
      said(20, 'idle'),
    ]
    expect(score(changes).worst).toMatchObject({ ms: 900, truth: 'working', said: 'error' })
    expect(wrongMs(score(changes))).toBe(1_300)
  })

  it('goes on when one wrong verdict follows another', () => {
    const changes = [
      ...[said(0, 'idle'), said(10, 'working')],
      ...[said(12, 'idle'), said(12.4, 'error'), said(13, 'working')],
      said(20, 'idle'),
    ]
    expect(score(changes).worst).toMatchObject({ ms: 1_000, truth: 'working', said: 'error' })
  })

  it('goes on over a true change, whose grace neither counts nor ends it', () => {
    const changes = [said(0, 'idle'), said(10, 'working'), said(19, 'waiting'), said(21, 'idle')]
    expect(score(changes).worst).toMatchObject({ ms: 1_700, truth: 'idle', said: 'waiting' })
  })

  it('says when it began, from the first true state', () => {
    const changes = [said(0, 'idle'), said(10, 'working'), said(12, 'idle'), said(13, 'working')]
    const worst = score([...changes, said(20, 'idle')]).worst
    expect(worst).toEqual({ ms: 1_000, truth: 'working', said: 'idle', atMs: 12_000 })
  })

  it('reaches into the tail', () => {
    const changes = [said(0, 'idle'), said(10, 'working')]
    expect(score(changes).worst).toMatchObject({ ms: 4_700, truth: 'idle', said: 'working' })
  })

  it('says for what it truly waited, and that nothing was said', () => {
    const lines = [is(0, 'waiting', 'input needed')]
    expect(score([], { lines })).toMatchObject({
      worst: { ms: 4_700, truth: 'waiting:question', said: 'nothing' },
      final: 'waiting/nothing',
      finalRight: false,
    })
  })
})

describe('time left out', () => {
  const CHANGES = [said(0, 'idle'), said(11, 'working'), said(18, 'error')]
  const without = (from: number, to: number) =>
    score(CHANGES, { leftOut: [{ from: at(from), to: at(to) }] })

  it('does not count, be it right or wrong', () => {
    expect(without(12, 13).totalMs).toBe(COUNTED_MS - 1_000)
    expect(wrongMs(without(12, 13))).toBe(wrongMs(score(CHANGES)))
    expect(wrongMs(without(10, 12))).toBe(wrongMs(score(CHANGES)) - 700)
    expect(score(CHANGES, { leftOut: [] })).toEqual(score(CHANGES))
  })

  it('neither ends a wrong streak nor begins one', () => {
    expect(score(CHANGES).worst?.ms).toBe(6_700)
    expect(without(19, 19.5).worst?.ms).toBe(6_200)
    expect(without(18, 25).worst).toMatchObject({ ms: 700, truth: 'working', said: 'idle' })
  })

  it('leaves the final state what it is', () => {
    expect(without(18, 26)).toMatchObject({ finalRight: false, final: 'idle/error' })
  })
})

describe('the kind of waiting', () => {
  const WAITS = [is(0, 'idle'), is(10, 'waiting', 'dialog open'), is(20, 'busy')]
  const saying = (kind: 'dialog' | 'plan', until = 20) =>
    score([said(0, 'idle'), said(10, 'waiting', { for: kind }), said(until, 'working')], {
      lines: WAITS,
    })

  it('is measured only where it waits', () => {
    expect(saying('dialog')).toMatchObject({ kindRightMs: 9_700, kindTotalMs: 9_700 })
  })

  it('may be wrong while the state is right', () => {
    const plan = saying('plan')
    expect(plan).toMatchObject({ kindRightMs: 0, kindTotalMs: 9_700 })
    expect(wrongMs(plan)).toBe(0)
  })

  it('is not held against a verdict that is ahead of its time', () => {
    expect(saying('dialog', 19.3)).toMatchObject({ kindRightMs: 9_700 })
    expect(saying('dialog', 19)).toMatchObject({ kindRightMs: 9_400 })
  })
})

describe('the final state', () => {
  it('is the last one said before the end of the tail', () => {
    const changes = [said(0, 'idle'), said(10, 'working')]
    expect(score(changes)).toMatchObject({ finalRight: false, final: 'idle/working' })
    expect(score([...changes, said(25, 'idle')])).toMatchObject({ finalRight: true })
    expect(score([...changes, said(25.001, 'idle')])).toMatchObject({ finalRight: false })
  })
})

describe('a run of several sessions', () => {
  const two = { session: 'two' }

  it('counts the one that began last', () => {
    const changes = [
      said(0, 'idle'),
      said(10, 'working', two),
      // The state of the previous session no longer counts.
      said(11, 'closed'),
      said(20, 'idle', two),
    ]
    expect(score(changes)).toMatchObject({ rightMs: COUNTED_MS, final: 'idle/idle' })
  })
})

describe('many runs as one', () => {
  const run = (state: 'idle' | 'working', rightMs: number, totalMs: number, ms = 0): Score => ({
    ...{ rightMs, totalMs, finalRight: rightMs > 0, final: '' },
    worst: ms === 0 ? undefined : { ms, truth: state, said: 'error', atMs: 0 },
    kindRightMs: rightMs / 10,
    kindTotalMs: 1_000,
    byState: new Map([[state, { rightMs, totalMs }]]),
  })
  const sum = sumOf([
    { name: 'a', score: run('working', 9_000, 10_000, 700) },
    { name: 'b', score: run('idle', 0, 2_000, 2_000) },
    { name: 'c', score: run('idle', 3_000, 3_000) },
  ])

  it('are right by their time together, balanced by the mean over the states', () => {
    expect(sum.rightPercent).toBe(80)
    expect(sum.recallPercent).toEqual({ working: 90, idle: 60 })
    expect(sum.balancedPercent).toBe(75)
  })

  it('name the run that was wrong for longest, and count the right ends', () => {
    expect(sum).toMatchObject({ worstMs: 2_000, worstIn: 'b', finalRight: 2, runs: 3 })
    expect(sum.kindPercent).toBe(40)
  })

  it('name none where none was wrong', () => {
    expect(sumOf([{ name: 'c', score: run('idle', 9, 9) }]).worstIn).toBeUndefined()
    expect(sumOf([])).toMatchObject({ worstMs: 0, worstIn: undefined, runs: 0 })
  })

  it('have all of nothing', () => {
    expect(percent(0, 0)).toBe(100)
    expect(percent(1, 4)).toBe(25)
  })
})
