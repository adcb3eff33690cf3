import type { Change } from '../core/tracker.ts'
import type { Line } from './read.ts'
import { type Truth, truthOf } from './truth.ts'

/** The time after a true change that is not counted: nobody is asked to know it at once. */
const GRACE_MS = 300
/** The client's file lags under load: a verdict may be ahead of it by this much. */
const EARLY_MS = 700

interface Wrong {
  readonly ms: number
  readonly truth: string
  readonly said: string
  /** Milliseconds from the first true state to the begin of the streak. */
  readonly atMs: number
}

export interface Score {
  readonly rightMs: number
  readonly totalMs: number
  readonly worst: Wrong | undefined
  readonly finalRight: boolean
  readonly final: string
  readonly kindRightMs: number
  readonly kindTotalMs: number
  readonly byState: ReadonlyMap<Truth['state'], { rightMs: number; totalMs: number }>
}

/** How right the changes were about the run, from its first true state to `tailMs` past its end. */
export function scoreOf(
  lines: readonly Line[],
  changes: readonly Change[],
  tailMs: number,
): Score | undefined {
  const truths = truthOf(lines)
  const [first] = truths
  const last = lines.at(-1)
  if (!first || !last) return undefined
  const end = last.t + tailMs
  const said = newestSession(changes)
  const tally = new Tally(first.t)
  for (const [from, to] of stretches(truths, said, first.t, end)) {
    const index = truths.findLastIndex((truth) => truth.t <= from)
    const truth = truths[index]
    if (!truth || from < truth.t + GRACE_MS) continue
    tally.count(
      from,
      to,
      truth,
      truths[index + 1],
      said.findLast((change) => change.t <= from),
    )
  }
  const final = said.findLast((change) => change.t <= end)
  return tally.score(truths.at(-1) as Truth, final)
}

/**
 * Where a run has several sessions (`/clear`), the one that began last is the one that counts; one
 * that was closed and comes back (`/resume`) begins again.
 */
export function newestSession(changes: readonly Change[]): readonly Change[] {
  const states = new Map<string, string>()
  let current: string | undefined
  return changes.filter(({ verdict: { session, state } }) => {
    const before = states.get(session)
    if (before === undefined || (before === 'closed' && state !== 'closed')) current = session
    states.set(session, state)
    return session === current
  })
}

/** The pieces of time in which neither truth, verdict nor grace changes. */
function* stretches(
  truths: readonly Truth[],
  said: readonly Change[],
  start: number,
  end: number,
): Generator<[number, number]> {
  const cuts = new Set([start, end])
  for (const { t } of truths) for (const at of [t, t + GRACE_MS, t - EARLY_MS]) cuts.add(at)
  for (const { t } of said) cuts.add(t)
  const sorted = [...cuts].filter((t) => t >= start && t <= end).sort((a, b) => a - b)
  for (let i = 0; i + 1 < sorted.length; i++) yield [sorted[i] as number, sorted[i + 1] as number]
}

class Tally {
  readonly #start: number
  readonly #byState = new Map<Truth['state'], { rightMs: number; totalMs: number }>()
  #rightMs = 0
  #totalMs = 0
  #streakMs = 0
  #worst: Wrong | undefined
  #kindRightMs = 0
  #kindTotalMs = 0

  constructor(start: number) {
    this.#start = start
  }

  count(
    from: number,
    to: number,
    truth: Truth,
    next: Truth | undefined,
    said: Change | undefined,
  ): void {
    const ms = to - from
    const state = said && coarse(said.verdict.state)
    const early = next !== undefined && next.t - from <= EARLY_MS && state === next.state
    const right = state === truth.state || early
    this.#totalMs += ms
    const byState = this.#byState.get(truth.state) ?? { rightMs: 0, totalMs: 0 }
    this.#byState.set(truth.state, byState)
    byState.totalMs += ms
    if (right) {
      this.#rightMs += ms
      byState.rightMs += ms
      this.#streakMs = 0
    } else this.#wrong(ms, from, truth, state)
    if (truth.state !== 'waiting') return
    this.#kindTotalMs += ms
    if (right && (said?.verdict.for === truth.for || state !== 'waiting')) this.#kindRightMs += ms
  }

  #wrong(ms: number, from: number, truth: Truth, state: string | undefined): void {
    this.#streakMs += ms
    if (this.#worst && this.#streakMs <= this.#worst.ms) return
    const what = truth.for ? `${truth.state}:${truth.for}` : truth.state
    this.#worst = {
      ms: this.#streakMs,
      truth: what,
      said: state ?? 'nothing',
      atMs: from + ms - this.#streakMs - this.#start,
    }
  }

  score(truth: Truth, final: Change | undefined): Score {
    return {
      rightMs: this.#rightMs,
      totalMs: this.#totalMs,
      worst: this.#worst,
      finalRight: final !== undefined && coarse(final.verdict.state) === truth.state,
      final: `${truth.state}/${final?.verdict.state ?? 'nothing'}`,
      kindRightMs: this.#kindRightMs,
      kindTotalMs: this.#kindTotalMs,
      byState: this.#byState,
    }
  }
}

/** The client calls itself busy while background work runs, and while it hangs. */
function coarse(state: string): string {
  return state === 'background' || state === 'stuck' ? 'working' : state
}

export interface Sum {
  readonly rightPercent: number
  readonly balancedPercent: number
  readonly worstMs: number
  readonly worstIn: string | undefined
  readonly finalRight: number
  readonly runs: number
  readonly kindPercent: number
  readonly recallPercent: Readonly<Record<string, number>>
}

/**
 * Many runs as one. Balanced: the mean over the true states, so that "always idle" gets a quarter.
 */
export function sumOf(scores: readonly { name: string; score: Score }[]): Sum {
  const of = (pick: (score: Score) => number) =>
    scores.reduce((sum, { score }) => sum + pick(score), 0)
  const recall: Record<string, number> = {}
  for (const state of new Set(scores.flatMap(({ score }) => [...score.byState.keys()]))) {
    const total = of((score) => score.byState.get(state)?.totalMs ?? 0)
    if (total > 0)
      recall[state] = percent(
        of((score) => score.byState.get(state)?.rightMs ?? 0),
        total,
      )
  }
  const recalls = Object.values(recall)
  const worst = scores.toSorted((a, b) => (b.score.worst?.ms ?? 0) - (a.score.worst?.ms ?? 0))[0]
  return {
    rightPercent: percent(
      of((score) => score.rightMs),
      of((score) => score.totalMs),
    ),
    balancedPercent: recalls.reduce((a, b) => a + b, 0) / Math.max(1, recalls.length),
    worstMs: worst?.score.worst?.ms ?? 0,
    worstIn: worst?.score.worst ? worst.name : undefined,
    finalRight: scores.filter(({ score }) => score.finalRight).length,
    runs: scores.length,
    kindPercent: percent(
      of((score) => score.kindRightMs),
      of((score) => score.kindTotalMs),
    ),
    recallPercent: recall,
  }
}

export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole
}
