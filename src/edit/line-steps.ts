export type LineStep = 'same' | 'add' | 'del'

/**
 * The steps from some lines to others. What differs is compared by a table of all pairs; if that
 * has more than `pairsMax`, it is removed and added as a whole.
 */
export function lineSteps(
  before: readonly string[],
  after: readonly string[],
  pairsMax: number,
): readonly LineStep[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  const room = Math.min(before.length, after.length) - head
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const [a, b] = [before, after].map((lines) => lines.slice(head, lines.length - tail))
  return [
    ...Array.from({ length: head }, () => 'same' as const),
    ...middle(a ?? [], b ?? [], pairsMax),
    ...Array.from({ length: tail }, () => 'same' as const),
  ]
}

/** The longest common subsequence. */
function middle(a: readonly string[], b: readonly string[], pairsMax: number): LineStep[] {
  const removed = (from: number) => a.slice(from).map(() => 'del' as const)
  const added = (from: number) => b.slice(from).map(() => 'add' as const)
  if (a.length * b.length > pairsMax || a.length === 0 || b.length === 0)
    return [...removed(0), ...added(0)]
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const steps: LineStep[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const step = a[i] === b[j] ? 'same' : at(i + 1, j) >= at(i, j + 1) ? 'del' : 'add'
    steps.push(step)
    if (step !== 'add') i += 1
    if (step !== 'del') j += 1
  }
  return [...steps, ...removed(i), ...added(j)]
}
