type Measure = (kind: string) => number | Promise<number>

/** Each round begins with another kind; the first round, which fills caches, does not count. */
export async function takeTurns(kinds: readonly string[], rounds: number, measure: Measure) {
  const times: Record<string, number[]> = Object.fromEntries(kinds.map((kind) => [kind, []]))
  for (let round = 0; round <= rounds; round++) {
    const order = kinds.map((_, i) => kinds[(i + round) % kinds.length] ?? '')
    for (const kind of order) {
      const time = await measure(kind)
      if (round > 0) times[kind]?.push(time)
    }
  }
  return times
}

export function median(values: readonly number[] = []): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
