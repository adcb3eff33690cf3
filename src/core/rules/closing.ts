import type { Facts, ProcessFact } from '../facts.ts'
import { HOOK_LAG_MS, STALE_MS } from '../limits.ts'
import { type Finding, ground } from './finding.ts'

/** SPEC C1–C6. Only the death of the very process, or the session's own goodbye, closes it. */
export function closed(facts: Facts, now: number): Finding | undefined {
  return dead(facts) ?? (now < handoverAt(facts) ? undefined : gone(facts))
}

/**
 * SPEC L1. `/clear` says goodbye under the old id a tenth of a second before it greets under the
 * new one. Nobody's session ended in between, so the old one stands until its successor is there.
 */
export function handoverAt({ left }: Facts): number {
  return left?.how === 'clear' ? left.at + STALE_MS : 0
}

/** SPEC C1, C3. */
function dead(facts: Facts): Finding | undefined {
  const { process, died, sighted } = facts
  if (!process) return undefined
  if (died && died.pid === process.pid && sameProcess(died, process))
    return {
      state: 'closed',
      since: died.at,
      rule: 'C1',
      reason: 'its process is gone',
      grounds: ground(died, `pid ${died.pid} dead`),
      how: goodbye(facts) ?? 'killed',
    }
  if (!sighted || sighted.pid !== process.pid || sighted.at < process.at) return undefined
  if (!process.start || !sighted.start || process.start === sighted.start) return undefined
  return {
    state: 'closed',
    since: sighted.at,
    rule: 'C3',
    reason: `its pid ${process.pid} belongs to another process`,
    grounds: ground(sighted, 'another start time'),
    how: 'killed',
  }
}

/**
 * Without start times on both sides, a process that speaks well after it was found dead lives: the
 * pid was given to a new client. A hook in flight at the death is written within the staleness.
 */
function sameProcess(died: ProcessFact, process: ProcessFact): boolean {
  if (died.start && process.start) return died.start === process.start
  return process.at <= died.at + STALE_MS
}

/** SPEC C2, C4. The session said goodbye, and nothing that only a live session does came later. */
function gone(facts: Facts): Finding | undefined {
  const { left } = facts
  if (!left || cameBack(facts, left)) return undefined
  const passedOn = left.how === 'clear' || left.how === 'continued'
  return {
    state: 'closed',
    since: left.at,
    rule: passedOn ? 'L1' : 'C2',
    reason: passedOn ? 'it was cleared and goes on as another session' : `it ended (${left.how})`,
    grounds: ground(left, left.how),
    how: left.how,
  }
}

/** SPEC C5. A late tool event does not bring a closed session back; a start of any kind does. */
export function cameBack(facts: Facts, left: NonNullable<Facts['left']>): boolean {
  const { opened, word, process, turn } = facts
  if (opened && opened.at > left.at) return true
  if (word && word.at > left.at) return true
  if (turn.started && turn.started.at > left.at + HOOK_LAG_MS) return true
  return (
    process !== undefined &&
    left.pid !== undefined &&
    process.pid !== left.pid &&
    process.at > left.at
  )
}

function goodbye(facts: Facts): string | undefined {
  return facts.left?.how
}
