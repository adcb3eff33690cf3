import { describe, expect, it } from 'vitest'
import type { AnswerFigures, Figures, HookFigures } from '../protocol/insight.ts'
import { headlineOf, hooksWords, projectWords, quickOf, shortCount } from './insight.ts'

const FIGURES: Figures = {
  sessions: 2,
  turns: 1,
  workedMs: 5_400_000,
  waitedMs: 1_800_000,
  costUsd: 1.5,
  tokens: { input: 1_200, output: 300, cacheRead: 2_000_000, cacheWritten: 500_000 },
}
const ANSWERS: AnswerFigures = { count: 3, medianMs: 8_400, p90Ms: 61_000, byKind: [] }
const HOOKS: HookFigures = {
  ...{ reports: 120, lastAt: 1, expected: 1_000, told: 999 },
  ...{ medianDelayMs: 11.4, p99DelayMs: 98.7, comparedFrom: 1 },
}

describe('figures in words', () => {
  it('[IN14] say what they are and what stands behind them', () => {
    expect(
      headlineOf(FIGURES, ANSWERS).map(({ name, value, note }) => [name, value, note]),
    ).toEqual([
      ['worked', '1 h 30 min', '1 turn in 2 sessions'],
      ['waited for you', '30 min', '25 % of their time'],
      ['your answer', '8.4 s', 'median of 3 answers; 9 of 10 within 1 min 1 s'],
      ['cost', '$1.50', 'from the status line'],
      ['tokens', '1.5 k', '1.2 k in, 300 out; 2.5 M through the cache'],
    ])
  })

  it('[IN14] say what is not known, and how to know it', () => {
    const nothing = { ...FIGURES, workedMs: 0, waitedMs: 0, costUsd: null, tokens: null }
    const none = { count: 0, medianMs: null, p90Ms: null, byKind: [] }
    const [, waited, answer, cost, tokens] = headlineOf(nothing, none)
    expect([waited?.note, answer?.value, answer?.note]).toEqual([
      'no agent worked',
      '–',
      'no requests',
    ])
    expect([cost?.value, cost?.note]).toEqual([
      '–',
      'only a status line reports it: vigil install --statusline',
    ])
    expect([tokens?.value, tokens?.note]).toEqual(['–', 'no transcript has any'])
  })

  it('[IN14] tell a question without an answer from none', () => {
    const none = { count: 0, medianMs: null, p90Ms: null, byKind: [] }
    const note = (over: Partial<Figures>, waiting?: number) =>
      headlineOf({ ...FIGURES, ...over }, none, waiting)[2]?.note
    expect(note({}, 4)).toBe('no answers yet; 4 wait')
    expect(note({ waitedMs: 0 }, 1)).toBe('no answers yet; 1 waits')
    expect(note({})).toBe('no answers')
    expect(note({ waitedMs: 0 })).toBe('no requests')
    expect(headlineOf(FIGURES, ANSWERS, 4)[2]?.note).toMatch(/^median of 3 answers/)
  })

  it('[IN14] of hooks never say all when one is missing', () => {
    expect(hooksWords(HOOKS)).toBe(
      '99 % of 1000 events seen, after 11 ms (99 % within 99 ms); 120 reports',
    )
    expect(hooksWords({ ...HOOKS, p99DelayMs: 75_000 })).toContain('99 % within 1 min 15 s')
    expect(hooksWords({ ...HOOKS, told: 1_000 })).toMatch(/^100 % of/)
    expect(hooksWords({ ...HOOKS, expected: 0, told: 0 })).toMatch(/no transcript to compare/)
    expect(hooksWords({ ...HOOKS, reports: 0 })).toBe('no hook reported')
  })

  it('[IN14] have nothing of a folder’s name that a terminal would act on, and an end', () => {
    expect(projectWords('a\u001b[2Jb\u202ec')).toBe('a [2Jb c')
    expect([...projectWords('x'.repeat(5_000))]).toHaveLength(60)
    expect(projectWords(null)).toBe('no folder')
  })

  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1.0 k'],
    [9_949, '9.9 k'],
    [999_499, '999 k'],
    [999_500, '1.0 M'],
    [12_345_678, '12 M'],
  ])('[IN14] %i is %s', (count, words) => {
    expect(shortCount(count)).toBe(words)
  })

  it('[IN14] a quick answer is shown to a tenth of a second', () => {
    expect([quickOf(1_640), quickOf(9_940), quickOf(10_000), quickOf(null)]).toEqual([
      ...['1.6 s', '9.9 s', '10 s', '–'],
    ])
  })
})
