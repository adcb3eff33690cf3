import { PARK_WAITS_MS } from '../limits.ts'
import { staleWords } from './bounds.ts'
import type { LoopHold, LoopRun } from './run.ts'
import { endRun, isOver, NO_STREAKS } from './stack.ts'

/** SPEC LP21, LP22. Holding a run and letting it go on. What is over is left as it is. */

/** By a person, or by the interrupt that says the same. Stronger than any hold of ours. */
export function pauseRun(run: LoopRun, why: string, now: number): LoopRun {
  if (run.hold?.kind === 'paused') return run
  return held(run, { kind: 'paused', why, since: now }, now)
}

/**
 * By a person: what was counted against it starts anew, and so does the time it is fresh. Errors
 * stay counted while it is parked: only an iteration shows that they are over.
 */
export function resumeRun(run: LoopRun, now: number): LoopRun {
  if (isOver(run)) return run
  const { hold, ...free } = run
  const parkedTimes = hold?.kind === 'parked' ? run.parkedTimes : 0
  return { ...free, updatedAt: now, streaks: NO_STREAKS, parkedTimes }
}

/**
 * An error of the API, a usage or a rate limit. Trying again at once is what a limit forbids, and
 * for ever is what nobody notices: waits grow, and after the last one a person is asked for.
 */
export function parkRun(run: LoopRun, cause: string, now: number): LoopRun {
  if (isOver(run) || waitsForPerson(run)) return run
  const waitMs = PARK_WAITS_MS[run.parkedTimes]
  if (waitMs === undefined)
    return holdForHuman(run, `${cause}, ${run.parkedTimes + 1} times in a row`, now)
  const hold: LoopHold = { kind: 'parked', why: cause, since: now, until: now + waitMs }
  return { ...held(run, hold, now), parkedTimes: run.parkedTimes + 1 }
}

/** SPEC LP16. With all others, for as long as the breaker is open: no error of its own counts. */
export function parkUntil(run: LoopRun, why: string, until: number, now: number): LoopRun {
  return held(run, { kind: 'parked', why, since: now, until }, now)
}

/**
 * The wait is over, and nobody was asked. A daemon that was down for the night must not wake what
 * it parked the evening before: then it is stale, as it would be at its next Stop.
 */
export function unparkRun(run: LoopRun, now: number): LoopRun {
  if (run.hold?.kind !== 'parked' || isOver(run)) return run
  const stale = staleWords(run, now)
  if (stale !== undefined)
    return endRun(run, { event: 'DONE', reason: 'STUCK', because: stale }, now)
  const { hold, ...free } = run
  return { ...free, updatedAt: now }
}

/** Nothing can be done without one. A pause stays a pause: its user knows already. */
export function holdForHuman(run: LoopRun, why: string, now: number): LoopRun {
  if (waitsForPerson(run)) return run
  return held(run, { kind: 'human', why, since: now }, now)
}

function waitsForPerson({ hold }: LoopRun): boolean {
  return hold?.kind === 'paused' || hold?.kind === 'human'
}

function held(run: LoopRun, hold: LoopHold, now: number): LoopRun {
  return isOver(run) ? run : { ...run, hold, updatedAt: now }
}
