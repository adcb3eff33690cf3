/**
 * The value at a percentile, as in `p90`: the smallest value that this share of all values does not
 * exceed. Found without sorting, which for a month of a busy fleet would block the daemon for too
 * long. Reorders the values; `above`: a smaller share computed before, so that values below its
 * result are before it.
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

/** Smaller values to the left, larger ones to the right; between the two all are equal. */
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
