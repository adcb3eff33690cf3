import type { AnswerFigures, Figures, Quickness, Tokens, Wait } from '../protocol/insight.ts'
import { valueAt } from './rank.ts'

/** As many as a person reads. */
const LONGEST_WAITS_MAX = 10

/** Figures that grow. */
export class FigureSum {
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
    this.#tokens = this.#tokens === null ? tokens : added(this.#tokens, tokens)
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

function added(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWritten: a.cacheWritten + b.cacheWritten,
  }
}

/** How long each answer took, by kind of request. */
export class Durations {
  readonly #byKind = new Map<string, Numbers>()

  add(kind: string, ms: number): void {
    const known = this.#byKind.get(kind) ?? new Numbers()
    this.#byKind.set(kind, known)
    known.push(ms)
  }

  answers(): AnswerFigures {
    const kinds = [...this.#byKind].toSorted(
      ([a, of], [b, others]) => others.count - of.count || (a < b ? -1 : 1),
    )
    const byKind = kinds.map(([kind, values]) => ({ kind, ...quicknessOf(values.copy()) }))
    const [only] = byKind
    if (only && byKind.length === 1) {
      const { kind: _, ...quickness } = only
      return { ...quickness, byKind }
    }
    return { ...quicknessOf(together(kinds.map(([, values]) => values.copy()))), byKind }
  }
}

/** A list of unboxed numbers: a busy month has hundreds of thousands. */
class Numbers {
  #room = new Float64Array(16)
  count = 0

  push(value: number): void {
    if (this.count === this.#room.length) {
      const larger = new Float64Array(2 * this.count)
      larger.set(this.#room)
      this.#room = larger
    }
    this.#room[this.count] = value
    this.count += 1
  }

  copy(): Float64Array {
    return this.#room.slice(0, this.count)
  }
}

function together(lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

function quicknessOf(values: Float64Array): Quickness {
  const count = values.length
  return { count, medianMs: valueAt(values, 0.5), p90Ms: valueAt(values, 0.9, 0.5) }
}

/** The longest so far, the longest first; of two equal ones the earlier. */
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
