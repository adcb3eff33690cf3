import { valueAt } from './rank.ts'
import type { Answers, Figures, Quickness, Tokens, Wait } from './shapes.ts'

/** As many as a person reads. */
const LONGEST_WAITS_MAX = 10

/** Figures that grow. */
export class Sum {
  sessions = 0
  turns = 0
  workedMs = 0
  waitedMs = 0
  #costUsd: number | null = null
  #tokens: Tokens | null = null

  spend(usd: number): void {
    this.#costUsd = (this.#costUsd ?? 0) + usd
  }

  use(tokens: Tokens): void {
    this.#tokens = this.#tokens === null ? tokens : together(this.#tokens, tokens)
  }

  get costUsd(): number | null {
    return this.#costUsd
  }

  get tokens(): Tokens | null {
    return this.#tokens
  }

  figures(): Figures {
    const { sessions, turns, workedMs, waitedMs, costUsd, tokens } = this
    return { sessions, turns, workedMs, waitedMs, costUsd, tokens }
  }
}

function together(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWritten: a.cacheWritten + b.cacheWritten,
  }
}

/** How long each answer took, by what was asked. */
export class Durations {
  readonly #byKind = new Map<string, number[]>()

  add(kind: string, ms: number): void {
    const known = this.#byKind.get(kind)
    if (known) known.push(ms)
    else this.#byKind.set(kind, [ms])
  }

  answers(): Answers {
    const byKind = [...this.#byKind]
      .toSorted(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1))
      .map(([kind, values]) => ({ kind, ...quicknessOf(Float64Array.from(values)) }))
    return { ...quicknessOf(Float64Array.from([...this.#byKind.values()].flat())), byKind }
  }
}

function quicknessOf(values: Float64Array): Quickness {
  const count = values.length
  return { count, medianMs: valueAt(values, 0.5), p90Ms: valueAt(values, 0.9) }
}

/** The longest so far, the longest first; of two alike the earlier. */
export class Longest {
  readonly #waits: Wait[] = []

  add(wait: Wait): void {
    const last = this.#waits.at(-1)
    if (this.#waits.length === LONGEST_WAITS_MAX && last && byLength(last, wait) <= 0) return
    const before = this.#waits.findIndex((other) => byLength(wait, other) < 0)
    this.#waits.splice(before < 0 ? this.#waits.length : before, 0, wait)
    if (this.#waits.length > LONGEST_WAITS_MAX) this.#waits.pop()
  }

  list(): readonly Wait[] {
    return this.#waits
  }
}

function byLength(a: Wait, b: Wait): number {
  return b.ms - a.ms || a.at - b.at || (a.session < b.session ? -1 : 1)
}
