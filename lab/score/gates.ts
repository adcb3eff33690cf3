import type { SumFigures } from './sums.ts'

interface Gate {
  readonly what: string
  readonly value: (sum: SumFigures) => number | undefined
  readonly unit: '%' | 'ms'
  /** A share has to reach it, a time must not pass it. */
  readonly limit: number
}

/** What vigil promises, as `--gate` holds it to. */
const GATES: readonly Gate[] = [
  { what: 'right', value: (sum) => sum.rightPercent, unit: '%', limit: 99.5 },
  { what: 'balanced', value: (sum) => sum.balancedPercent, unit: '%', limit: 99 },
  { what: 'longest wrong', value: (sum) => sum.worstMs, unit: 'ms', limit: 500 },
  { what: 'median delay', value: (sum) => sum.delayMedianMs, unit: 'ms', limit: 50 },
  { what: 'p99 delay', value: (sum) => sum.delayP99Ms, unit: 'ms', limit: 300 },
]

/** SPEC PT13. What it promises where the system gives no events. */
export const PORTABLE_GATES: readonly Gate[] = [
  { what: 'right', value: (sum) => sum.rightPercent, unit: '%', limit: 99 },
  { what: 'longest wrong', value: (sum) => sum.worstMs, unit: 'ms', limit: 1_000 },
]

/** The promises that were broken, in words. What was not measured at all is not kept either. */
export function brokenGates(sum: SumFigures | undefined, gates = GATES): readonly string[] {
  if (!sum) return ['nothing was measured']
  return gates.flatMap(({ what, value, unit, limit }) => {
    const measured = value(sum)
    // A run in which nothing changes has no delay.
    if (measured === undefined) return []
    const broken = unit === '%' ? measured < limit : measured > limit
    const side = unit === '%' ? 'least' : 'most'
    const digits = unit === '%' ? 2 : 0
    return broken ? [`${what} ${measured.toFixed(digits)} ${unit}, at ${side} ${limit}`] : []
  })
}
