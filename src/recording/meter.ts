import type { Truth } from '../agents/truth-reader.ts'
import type { WaitingFor } from '../core/signal.ts'

/** The time after a true change that is not counted: no tool can know it at once. */
export const GRACE_MS = 300
/** The client's file lags under load: a verdict may be ahead of it by this much. */
export const EARLY_MS = 700

/** A verdict from `t` on, such as a change of verdict. */
export interface TimedVerdict {
  readonly t: number
  readonly verdict: {
    readonly session: string
    readonly state: string
    readonly for?: WaitingFor
  }
}

export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** One client and its verdicts. */
export interface MeasuredRun<S extends TimedVerdict = TimedVerdict> {
  readonly truths: readonly Truth[]
  /** Of one session at a time, see `newestSession`. */
  readonly said: readonly S[]
  readonly endAt: number
  /** Time in which the state was unknowable: it neither counts nor ends a wrong streak. */
  readonly leftOut?: readonly TimeSpan[]
}

interface Wrong {
  readonly ms: number
  readonly truth: string
  readonly said: string
  /** Milliseconds from the first true state to the start of the streak. */
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

/**
 * The accuracy of the verdicts, from the first true state to the end; undefined without a truth.
 */
export function scoreOf(measured: MeasuredRun): Score | undefined {
  const { truths, said, endAt } = measured
  const [first] = truths
  if (!first) return undefined
  const tally = new Tally(first.t)
  for (const stretch of stretchesOf(measured)) tally.count(stretch)
  const final = said.findLast(({ t }) => t <= endAt)
  return tally.score(truths.at(-1) as Truth, final)
}

/**
 * Where a run has several sessions (`/clear`), the one that began last counts; a closed one that
 * returns (`/resume`) begins again.
 */
export function newestSession<S extends TimedVerdict>(changes: readonly S[]): readonly S[] {
  const states = new Map<string, string>()
  let current: string | undefined
  return changes.filter(({ verdict: { session, state } }) => {
    const before = states.get(session)
    if (before === undefined || (before === 'closed' && state !== 'closed')) current = session
    states.set(session, state)
    return session === current
  })
}

/** A counted interval in which neither truth nor verdict changes. */
export interface ScoredStretch<S extends TimedVerdict = TimedVerdict> extends TimeSpan {
  readonly truth: Truth
  readonly said: S | undefined
  readonly right: boolean
}

export function* stretchesOf<S extends TimedVerdict>(
  measured: MeasuredRun<S>,
): Generator<ScoredStretch<S>> {
  const { truths, said, endAt, leftOut = [] } = measured
  const cuts = new Set([...leftOut.flatMap(({ from, to }) => [from, to]), endAt])
  for (const { t } of truths) for (const at of [t, t + GRACE_MS, t - EARLY_MS]) cuts.add(at)
  for (const { t } of said) cuts.add(t)
  const start = truths[0]?.t ?? endAt
  const sorted = [...cuts].filter((t) => t >= start && t <= endAt).sort((a, b) => a - b)
  for (const [i, from] of sorted.slice(0, -1).entries()) {
    const index = truths.findLastIndex((truth) => truth.t <= from)
    const truth = truths[index]
    if (!truth || from < truth.t + GRACE_MS) continue
    if (leftOut.some((span) => from >= span.from && from < span.to)) continue
    const now = said.findLast((change) => change.t <= from)
    const right = isRight(from, truth, truths[index + 1], now)
    yield { from, to: sorted[i + 1] as number, truth, said: now, right }
  }
}

function isRight(
  at: number,
  truth: Truth,
  next: Truth | undefined,
  said: TimedVerdict | undefined,
) {
  const state = said && coarse(said.verdict.state)
  const early = next !== undefined && next.t - at <= EARLY_MS && state === next.state
  return state === truth.state || early
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

  count({ from, to, truth, said, right }: ScoredStretch): void {
    const ms = to - from
    const state = said && coarse(said.verdict.state)
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

  score(truth: Truth, final: TimedVerdict | undefined): Score {
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

/** The client reports busy while background work runs, and while it hangs. */
export function coarse(state: string): string {
  return state === 'background' || state === 'stuck' ? 'working' : state
}

export interface ScoreSum {
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
export function sumOf(scores: readonly { name: string; score: Score }[]): ScoreSum {
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
