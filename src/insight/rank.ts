/**
 * The value at a rank, as `p90` is meant: the smallest one that so much of all of them does not
 * exceed. Found without sorting, which for a month of a busy fleet takes longer than anybody who
 * waits for the daemon should be held up. The values change places; `above`: a smaller share that
 * was asked for before, so that those below its value lie below it.
 */
export function valueAt(values: Float64Array, share: number, above = 0): number | null {
  if (values.length === 0) return null
  const rank = rankOf(values.length, share)
  let low = rankOf(values.length, above)
  let high = values.length - 1
  while (low < high) {
    const [left, right] = parted(values, low, high)
    if (rank <= left) high = left
    else if (rank >= right) low = right
    else break
  }
  return values[rank] ?? null
}

function rankOf(count: number, share: number): number {
  return Math.max(0, Math.ceil(share * count) - 1)
}

/** Smaller ones to the left, larger ones to the right; between the two all are equal. */
function parted(values: Float64Array, low: number, high: number): readonly [number, number] {
  const pivot = values[(low + high) >> 1] ?? 0
  let left = low
  let right = high
  while (left <= right) {
    while ((values[left] ?? 0) < pivot) left += 1
    while ((values[right] ?? 0) > pivot) right -= 1
    if (left > right) break
    const kept = values[left] ?? 0
    values[left] = values[right] ?? 0
    values[right] = kept
    left += 1
    right -= 1
  }
  return [right, left]
}
