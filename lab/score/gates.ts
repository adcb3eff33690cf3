import type { SumFigures } from './sums.ts'

interface Gate {
  readonly what: string
  readonly value: (sum: SumFigures) => number | undefined
  readonly unit: '%' | 'ms'
  /** A share must reach it, a time must not exceed it. */
  readonly limit: number
}

/** vigil's promises, which `--gate` checks. */
const GATES: readonly Gate[] = [
  { what: 'right', value: (sum) => sum.rightPercent, unit: '%', limit: 99.5 },
  { what: 'balanced', value: (sum) => sum.balancedPercent, unit: '%', limit: 99 },
  { what: 'longest wrong', value: (sum) => sum.worstMs, unit: 'ms', limit: 500 },
  { what: 'median delay', value: (sum) => sum.delayMedianMs, unit: 'ms', limit: 50 },
  { what: 'p99 delay', value: (sum) => sum.delayP99Ms, unit: 'ms', limit: 300 },
]

/**
 * Of Codex, whose processes, screens and titles are polled: in ten conversations a state lasts a
 * few seconds in all, and a tenth of a second is some percent of it.
 */
export const CODEX_GATES: readonly Gate[] = [
  { what: 'right', value: (sum) => sum.rightPercent, unit: '%', limit: 99 },
  { what: 'balanced', value: (sum) => sum.balancedPercent, unit: '%', limit: 97 },
  { what: 'longest wrong', value: (sum) => sum.worstMs, unit: 'ms', limit: 500 },
  { what: 'kind of waiting', value: (sum) => sum.kindPercent, unit: '%', limit: 97 },
  { what: 'median delay', value: (sum) => sum.delayMedianMs, unit: 'ms', limit: 60 },
]

/** SPEC PT13. The promises if the system gives no events. */
export const PORTABLE_GATES: readonly Gate[] = [
  { what: 'right', value: (sum) => sum.rightPercent, unit: '%', limit: 99 },
  { what: 'longest wrong', value: (sum) => sum.worstMs, unit: 'ms', limit: 1_000 },
]

/** The broken promises, in words. A promise that was not measured is broken, too. */
export function brokenGates(sum: SumFigures | undefined, gates = GATES): readonly string[] {
  if (!sum) return ['nothing was measured']
  return gates.flatMap(({ what, value, unit, limit }) => {
    const measured = value(sum)
    // A run without changes has no delay.
    if (measured === undefined) return []
    const broken = unit === '%' ? measured < limit : measured > limit
    const side = unit === '%' ? 'least' : 'most'
    const digits = unit === '%' ? 2 : 0
    return broken ? [`${what} ${measured.toFixed(digits)} ${unit}, at ${side} ${limit}`] : []
  })
}
