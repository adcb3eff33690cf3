import type { Facts, Mark } from '../facts.ts'
import { HOOK_LAG_MS, RECOVERY_MAX_MS } from '../limits.ts'
import type { Source } from '../signal.ts'

/**
 * SPEC R7. When it is certain that the client's status stands still: a whole turn has passed since
 * the status last changed, by a margin of 12 s. A client that writes its status changes it when a
 * turn begins and when it ends. Infinity while there is no such turn.
 */
export function standsStillAt({ selfReport, turn }: Facts): number {
  const begun = turn.promptedAt
  if (begun === undefined || tellsTurn({ selfReport, turn })) return Number.POSITIVE_INFINITY
  const moved = latestOf(turn.spoke, turn.active, turn.resumed)
  const ended = turn.ended?.at ?? 0
  if (ended > begun && ended >= moved) return ended + RECOVERY_MAX_MS
  // A prompt that was queued is newer than the status `working`, which is right all the same.
  const isIdle = selfReport === undefined || selfReport.status === 'idle'
  return isIdle && moved > begun + RECOVERY_MAX_MS ? moved : Number.POSITIVE_INFINITY
}

/** Whether the status has changed since the newest prompt. */
export function tellsTurn({ selfReport, turn }: Pick<Facts, 'selfReport' | 'turn'>): boolean {
  const begun = turn.promptedAt
  return begun !== undefined && selfReport !== undefined && selfReport.at > begun - HOOK_LAG_MS
}

/** The source in which the client reports its own state; undefined while that stands still. */
export function statusSource(facts: Facts, now: number): Source | undefined {
  return standsStillAt(facts) > now ? facts.selfReport?.source : undefined
}

function latestOf(...marks: readonly (Mark | undefined)[]): number {
  return Math.max(...marks.map((mark) => mark?.at ?? 0))
}
