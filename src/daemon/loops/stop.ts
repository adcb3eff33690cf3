import { resumeRun, unparkRun } from '../../core/loop/holds.ts'
import type { LoopRun, LoopState } from '../../core/loop/run.ts'
import type { Stop } from '../../core/loop/stop.ts'
import type { StepKind } from '../../protocol/constants.ts'
import type { StoredLoop } from './open-loops.ts'
import type { Effort } from './turns.ts'

export type StopReply = Partial<Stop> & { readonly message: string }

interface Known {
  readonly stored: StoredLoop
  readonly said: StopReply
  readonly costUsd: number | undefined
  readonly breaker: Stop['breaker'] | undefined
  readonly effort: Effort
}

/** All that is known when an agent wants to stop. */
export function stopOf({ stored, said, costUsd, breaker, effort }: Known): Stop {
  return {
    disabled: false,
    ...effort,
    ...(costUsd !== undefined && { costUsd }),
    ...(breaker !== undefined && { breaker }),
    ...(stored.anchor !== undefined && { anchor: stored.anchor }),
    ...said,
  }
}

/** The agent has ended a turn since: the error is over, and a person has come. */
export function takenUp(run: LoopRun, now: number): LoopRun {
  if (run.hold?.kind === 'parked') return unparkRun(run, now)
  return run.hold?.kind === 'human' ? resumeRun(run, now) : run
}

/** The time and cost of the turn that has just ended. */
export function turnOf(stored: StoredLoop, said: string, costUsd: number | undefined, at: number) {
  const { turnAt, turnCostUsd } = stored
  const known = costUsd !== undefined && turnCostUsd !== undefined
  return { at, said, tookMs: at - turnAt, costUsd: known ? costUsd - turnCostUsd : null }
}

/** The effect of a Stop that passed on a loop. */
export function kindOf({ run, to }: { readonly run: LoopRun; readonly to: LoopState }): StepKind {
  return run.hold ? HELD[run.hold.kind] : KINDS[to]
}

const HELD = { paused: 'paused', parked: 'parked', human: 'needs-human' } as const

const KINDS = {
  IDLE: 'completed',
  ACTIVE: 'completed',
  COMPLETING: 'completed',
  STUCK: 'stuck',
  ABORTED: 'aborted',
} as const
