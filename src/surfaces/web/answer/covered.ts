/** Rows that were in sight, in pixels from the top: apart from each other and in their order. */
export type Covered = readonly (readonly [from: number, to: number])[]

/** Edges are drawn between pixels, and where one sight ends the next begins. */
const EDGE = 1

/** With what is in sight at a moment. */
export function withSight(covered: Covered, from: number, to: number): Covered {
  if (to <= from) return covered
  const apart = covered.filter(([a, b]) => b + EDGE < from || a - EDGE > to)
  const joined = covered.filter((one) => !apart.includes(one))
  const [first, last] = [joined.map(([a]) => a), joined.map(([, b]) => b)]
  const whole = [Math.min(from, ...first), Math.max(to, ...last)] as const
  return [...apart, whole].toSorted(([a], [b]) => a - b)
}

/** SPEC SH9. Where the first row is that was never in sight; null where there is none. */
export function firstUnseen(covered: Covered, height: number): number | null {
  if (height < EDGE) return null
  const [first] = covered
  if (!first || first[0] > EDGE) return 0
  return first[1] >= height - EDGE ? null : first[1]
}
