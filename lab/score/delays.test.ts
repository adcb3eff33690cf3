import { describe, expect, it } from 'vitest'
import type { Truth } from '../../src/agents/truth-reader.ts'
import type { WaitingFor } from '../../src/core/signal.ts'
import type { TimedVerdict, TimeSpan } from '../../src/recording/meter.ts'
import { delaysOf, quantile, together } from './delays.ts'

const is = (t: number, state: Truth['state'], kind?: WaitingFor): Truth => ({
  t,
  state,
  ...(kind && { for: kind }),
})
const said = (t: number, state: string, kind?: WaitingFor): TimedVerdict => ({
  t,
  verdict: { session: 'one', state, ...(kind && { for: kind }) },
})

/** Idle, at work from 10 s to 20 s, idle to 30 s. */
const DAY = [is(0, 'idle'), is(10_000, 'working'), is(20_000, 'idle')]

function delays(changes: readonly TimedVerdict[], truths = DAY, leftOut: readonly TimeSpan[] = []) {
  return delaysOf({ truths, said: changes, endAt: 30_000, leftOut })
}

describe('the delay of a change', () => {
  it('is from the client’s word to the first verdict that says so', () => {
    const changes = [said(0, 'idle'), said(10_040, 'working'), said(20_007, 'idle')]
    expect(delays(changes)).toEqual({ ms: [40, 7], missed: 0 })
  })

  it('is below zero for a judge that knew it first, by 0.7 s at most', () => {
    const early = (ms: number) =>
      delays([said(0, 'idle'), said(10_000 - ms, 'working'), said(20_000, 'idle')]).ms[0]
    expect(early(50)).toBe(-50)
    expect(early(700)).toBe(-700)
    expect(early(3_000)).toBe(-700)
  })

  it('of a state that comes again is not that of its first time', () => {
    const truths = [
      is(0, 'idle'),
      is(9_800, 'waiting'),
      is(10_200, 'working'),
      is(10_600, 'waiting'),
    ]
    const changes = [said(0, 'idle'), said(9_900, 'waiting'), said(10_210, 'working')]
    expect(delays([...changes, said(10_650, 'waiting')], truths).ms).toEqual([100, 10, 50])
  })

  it('is not asked of the first state', () => {
    expect(delays([said(500, 'idle')], [is(0, 'idle')])).toEqual({ ms: [], missed: 0 })
  })

  it('takes background and stuck for work', () => {
    expect(delays([said(0, 'idle'), said(10_020, 'background'), said(20_000, 'idle')]).ms[0]).toBe(
      20,
    )
  })

  it('from one dialog to the next is that of its kind', () => {
    const truths = [is(0, 'waiting', 'permission'), is(10_000, 'waiting', 'question')]
    const changes = [said(0, 'waiting', 'permission'), said(10_030, 'waiting', 'question')]
    expect(delays(changes, truths)).toEqual({ ms: [30], missed: 0 })
    // Otherwise the kind is not compared.
    const other = [said(0, 'idle'), said(10_030, 'waiting', 'plan')]
    expect(delays(other, [is(0, 'idle'), is(10_000, 'waiting', 'question')]).ms).toEqual([30])
  })
})

describe('a change that was never said', () => {
  it('is counted apart', () => {
    expect(delays([said(0, 'idle')])).toEqual({ ms: [], missed: 1 })
  })

  it('is one that came after the next', () => {
    expect(delays([said(0, 'idle'), said(20_000, 'working'), said(20_400, 'idle')])).toEqual({
      ms: [],
      missed: 1,
    })
  })

  it('does not lend its late word to the next change as an early one', () => {
    const truths = [is(0, 'idle'), is(10_000, 'working'), is(10_400, 'idle'), is(11_000, 'working')]
    const late = [said(0, 'idle'), said(10_500, 'working'), said(10_900, 'idle')]
    expect(delays([...late, said(11_100, 'working')], truths)).toEqual({ ms: [100], missed: 1 })
  })
})

describe('what is not asked', () => {
  const blink = (ms: number) => [is(0, 'idle'), is(10_000, 'working'), is(10_000 + ms, 'idle')]

  it('is a state that lasted less than 0.3 s', () => {
    expect(delays([said(0, 'idle')], blink(299))).toEqual({ ms: [], missed: 0 })
    expect(delays([said(0, 'idle')], blink(300))).toEqual({ ms: [], missed: 1 })
  })

  const away = [{ from: 9_000, to: 12_000 }]

  it('is what happened while the daemon was away', () => {
    expect(delays([said(0, 'idle'), said(13_000, 'working')], DAY, away).ms).toEqual([])
    expect(delays([said(0, 'idle')], DAY, away).missed).toBe(0)
    const back = [said(0, 'idle'), said(11_900, 'working'), said(20_010, 'idle')]
    expect(delays(back, DAY, away)).toEqual({ ms: [10], missed: 0 })
  })

  it('is not what was said before it went, nor what happened after', () => {
    const before = [said(0, 'idle'), said(10_050, 'working'), said(20_010, 'idle')]
    expect(delays(before, DAY, [{ from: 10_100, to: 12_000 }]).ms).toEqual([50, 10])
    expect(delays(before, DAY, [{ from: 5_000, to: 9_999 }]).ms).toEqual([50, 10])
  })
})

it('many are taken together', () => {
  expect(
    together([
      { ms: [1, 2], missed: 1 },
      { ms: [3], missed: 2 },
      { ms: [], missed: 0 },
    ]),
  ).toEqual({
    ms: [1, 2, 3],
    missed: 3,
  })
})

it.each([
  [[], 0.5, undefined],
  [[7], 0.99, 7],
  [[30, 10, 20], 0.5, 20],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, i) => i + 1), 0.99, 99],
  [Array.from({ length: 101 }, (_, i) => i + 1), 0.99, 100],
])('the value of %j that %d do not exceed', (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected)
})
