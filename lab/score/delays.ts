import type { Truth } from '../../src/agents/truth-reader.ts'
import {
  coarse,
  EARLY_MS,
  GRACE_MS,
  type MeasuredRun,
  type TimedVerdict,
} from '../../src/recording/meter.ts'

/** How long after the client's own status each change was reported; negative: before it. */
export interface Delays {
  readonly ms: readonly number[]
  /** Changes that were never reported while they were true. */
  readonly missed: number
}

/**
 * The first true state is where the run begins, not a change. A state that ended within the grace
 * period is not required, nor is one that was excluded before it was reported.
 */
export function delaysOf(measured: MeasuredRun): Delays {
  const { truths, endAt, leftOut = [] } = measured
  const ms: number[] = []
  let missed = 0
  /** When the previous state was reported: the report of the next one comes after that. */
  let since = truths[0]?.t ?? 0
  let followed = true
  for (const [index, truth] of truths.entries()) {
    const before = truths[index - 1]
    if (!before) continue
    const says = saying(truth, before)
    const until = Math.min(truths[index + 1]?.t ?? endAt, endAt)
    // If the end of a state was never reported, its next occurrence has no delay.
    const allAlong = says(standing(measured, since))
    // A system that is behind is late, not early: it may still report the state before last.
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

/** From one dialog to the next only the kind changes; otherwise the state is compared. */
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

/** The percentile of this share; undefined for an empty list. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}
