import { PARK_WAITS_MS } from '../limits.ts'
import { staleWords } from './bounds.ts'
import type { LoopHold, LoopRun } from './run.ts'
import { endRun, isOver, NO_STREAKS } from './stack.ts'

/** SPEC LP21, LP22. Holding and resuming a run. A run that is over does not change. */

/** A person paused it, or interrupted the agent. Overrides any hold of vigil's own. */
export function pauseRun(run: LoopRun, why: string, now: number): LoopRun {
  if (run.hold?.kind === 'paused') return run
  return held(run, { kind: 'paused', why, since: now }, now)
}

/**
 * A person resumes it: counted failures and staleness start over. Errors stay counted while it is
 * parked: only an iteration shows that they are over.
 */
export function resumeRun(run: LoopRun, now: number): LoopRun {
  if (isOver(run)) return run
  const { hold, ...free } = run
  const parkedTimes = hold?.kind === 'parked' ? run.parkedTimes : 0
  return { ...free, updatedAt: now, streaks: NO_STREAKS, parkedTimes }
}

/**
 * An API error, a usage limit or a rate limit. A limit forbids an immediate retry, and endless
 * retries go unnoticed: waits grow, and after the last one vigil asks for a person.
 */
export function parkRun(run: LoopRun, cause: string, now: number): LoopRun {
  if (isOver(run) || waitsForPerson(run)) return run
  const waitMs = PARK_WAITS_MS[run.parkedTimes]
  if (waitMs === undefined)
    return holdForHuman(run, `${cause}, ${run.parkedTimes + 1} times in a row`, now)
  const hold: LoopHold = { kind: 'parked', why: cause, since: now, until: now + waitMs }
  return { ...held(run, hold, now), parkedTimes: run.parkedTimes + 1 }
}

/**
 * SPEC LP16. Parks the run with all others while the breaker is open: counts no error of its own.
 */
export function parkUntil(run: LoopRun, why: string, until: number, now: number): LoopRun {
  return held(run, { kind: 'parked', why, since: now, until }, now)
}

/**
 * The wait is over, without anyone having resumed the run. A daemon that was down overnight must
 * not wake a run parked the evening before: it is stale, as it would be at its next Stop.
 */
export function unparkRun(run: LoopRun, now: number): LoopRun {
  if (run.hold?.kind !== 'parked' || isOver(run)) return run
  const stale = staleWords(run, now)
  if (stale !== undefined)
    return endRun(run, { event: 'DONE', reason: 'STUCK', because: stale }, now)
  const { hold, ...free } = run
  return { ...free, updatedAt: now }
}

/** The run needs a person. A pause stays a pause: its user knows already. */
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
