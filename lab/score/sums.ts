import { type Score, type ScoreSum, sumOf } from '../../src/recording/meter.ts'
import { quantile, together } from './delays.ts'
import type { Figures, Result } from './result.ts'

export interface SumFigures extends ScoreSum {
  readonly delayMedianMs: number | undefined
  readonly delayP99Ms: number | undefined
  /** True changes with a measured delay, and those never reported while they were true. */
  readonly changes: number
  readonly missed: number
}

/** All runs together. A failed run is left out. */
export interface Sums {
  readonly runs: number
  readonly failed: number
  readonly core: SumFigures | undefined
  readonly live: SumFigures | undefined
  readonly without: Readonly<Record<string, ScoreSum>>
  /** How many sessions in the daemon's list were none. */
  readonly ghosts: number
  /** How often file and screen disagreed, and for how long in total. */
  readonly disputes: { readonly count: number; readonly ms: number }
}

export function sumsOf(results: readonly Result[]): Sums {
  const good = results.filter(({ failed }) => failed === undefined)
  const scores = (pick: (result: Result) => Score | undefined) =>
    good.flatMap((result) => {
      const score = pick(result)
      return score ? [{ name: result.name, score }] : []
    })
  const figures = (pick: (result: Result) => Figures | undefined): SumFigures | undefined => {
    const all = scores((result) => pick(result)?.score)
    if (all.length === 0) return undefined
    const delays = together(good.flatMap((result) => pick(result)?.delays ?? []))
    return {
      ...sumOf(all),
      delayMedianMs: quantile(delays.ms, 0.5),
      delayP99Ms: quantile(delays.ms, 0.99),
      changes: delays.ms.length,
      missed: delays.missed,
    }
  }
  const leftOut = new Set(good.flatMap((result) => Object.keys(result.without)))
  const without = [...leftOut].flatMap((names) => {
    const all = scores((result) => result.without[names])
    return all.length > 0 ? [[names, sumOf(all)]] : []
  })
  const disputes = good.flatMap((result) => result.disputes)
  return {
    runs: results.length,
    failed: results.length - good.length,
    core: figures(({ core }) => core),
    live: figures(({ live }) => live),
    without: Object.fromEntries(without),
    ghosts: good.reduce((sum, { ghosts }) => sum + ghosts.length, 0),
    disputes: {
      count: disputes.length,
      ms: disputes.reduce((sum, { from, to }) => sum + to - from, 0),
    },
  }
}
