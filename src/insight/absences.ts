/** A half-open interval in milliseconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** When vigil did not watch, in order and without overlap. */
export function merged(stretches: readonly TimeRange[]): readonly TimeRange[] {
  const inOrder = stretches.filter(({ from, to }) => to > from).toSorted((a, b) => a.from - b.from)
  const whole: { from: number; to: number }[] = []
  for (const { from, to } of inOrder) {
    const last = whole.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else whole.push({ from, to })
  }
  return whole
}

/** SPEC IN3. The interval without the times in which vigil did not watch. */
export function watchedParts(
  absences: readonly TimeRange[],
  from: number,
  to: number,
): TimeRange[] {
  const parts: TimeRange[] = []
  let at = from
  for (let i = firstEndingAfter(absences, from); i < absences.length && at < to; i += 1) {
    const absence = absences[i]
    if (!absence || absence.from >= to) break
    if (absence.from > at) parts.push({ from: at, to: absence.from })
    at = Math.max(at, absence.to)
  }
  if (at < to) parts.push({ from: at, to })
  return parts
}

export function lengthOf(parts: readonly TimeRange[]): number {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0)
}

function firstEndingAfter(absences: readonly TimeRange[], t: number): number {
  let low = 0
  let high = absences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((absences[middle]?.to ?? 0) > t) high = middle
    else low = middle + 1
  }
  return low
}
