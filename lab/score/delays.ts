import type { Truth } from '../../src/agents/truth-reader.ts'
import {
  coarse,
  EARLY_MS,
  GRACE_MS,
  type MeasuredRun,
  type TimedVerdict,
} from '../../src/recording/meter.ts'

/** How long after the client's own word each change was said; below zero: before it. */
export interface Delays {
  readonly ms: readonly number[]
  /** Changes that were never said while they were true. */
  readonly missed: number
}

/**
 * The first true state is how the run was found, not a change. A state that was over within the
 * grace is not asked for, nor is one whose time was left out before it was said.
 */
export function delaysOf(measured: MeasuredRun): Delays {
  const { truths, endAt, leftOut = [] } = measured
  const ms: number[] = []
  let missed = 0
  /** When the state before was said: what is said of the next one comes after that. */
  let since = truths[0]?.t ?? 0
  let followed = true
  for (const [index, truth] of truths.entries()) {
    const before = truths[index - 1]
    if (!before) continue
    const says = saying(truth, before)
    const until = Math.min(truths[index + 1]?.t ?? endAt, endAt)
    // One who never said that it was over has nothing to say when it comes again.
    const allAlong = says(standing(measured, since))
    // Who lost the thread is late, not early: it may still be telling the state before last.
    const from = Math.max(since, followed ? truth.t - EARLY_MS : truth.t)
    const shown = allAlong ? undefined : firstSaid(measured, says, from, until)
    const away = leftOut.some((span) => span.from < (shown ?? until) && span.to > truth.t)
    since = shown ?? truth.t
    followed = shown !== undefined
    if (until - truth.t < GRACE_MS || away || allAlong) continue
    if (shown === undefined) missed += 1
    else ms.push(shown - truth.t)
  }
  return { ms, missed }
}

type Says = (said: TimedVerdict | undefined) => boolean

/** From one dialog to the next only the kind changes; else the state tells. */
function saying(truth: Truth, before: Truth): Says {
  return (said) =>
    said !== undefined &&
    coarse(said.verdict.state) === truth.state &&
    (before.state !== truth.state || said.verdict.for === truth.for)
}

function firstSaid(
  measured: MeasuredRun,
  says: Says,
  from: number,
  until: number,
): number | undefined {
  if (says(standing(measured, from))) return from
  return measured.said.find((said) => said.t > from && said.t < until && says(said))?.t
}

function standing({ said }: MeasuredRun, at: number): TimedVerdict | undefined {
  return said.findLast(({ t }) => t <= at)
}

export function together(all: readonly Delays[]): Delays {
  return {
    ms: all.flatMap(({ ms }) => ms),
    missed: all.reduce((sum, { missed }) => sum + missed, 0),
  }
}

/** The value that this share of all does not exceed; undefined of none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}
