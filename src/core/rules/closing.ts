import { type Facts, lastHeardAt, type Mark, type ProcessFact } from '../facts.ts'
import { HOOK_LAG_MS, STALE_MS } from '../limits.ts'
import { isSameStart } from '../process-start.ts'
import { SOURCES } from '../signal.ts'
import { evidenceOf, type Finding } from './finding.ts'

/** SPEC C1–C7. Only the death of its own process, or its own end report, closes a session. */
export function closed(facts: Facts, now: number): Finding | undefined {
  return dead(facts) ?? passedOn(facts, now) ?? gone(facts)
}

/**
 * SPEC L1. A session that continues under another id reports its end under the old id a tenth of a
 * second before its start under the new one (*clear*). The user's session did not end in between,
 * so the old one stays open until its successor is there.
 */
export function handoverAt({ left, succeeded }: Facts): number {
  return left?.continues && !succeeded ? left.at + STALE_MS : 0
}

function passedOn(facts: Facts, now: number): Finding | undefined {
  const { left, succeeded } = facts
  const continued = left?.continues ? left : undefined
  const mark = continued ?? succeeded
  if (!mark || now < handoverAt(facts)) return undefined
  // Meanwhile the client still reports busy under the old id.
  if (cameBack(facts, { ...mark, at: mark.at + STALE_MS })) return undefined
  return {
    state: 'closed',
    // When a successor is learned of is chance; the session's own last report is not.
    since: continued?.at ?? lastHeardAt(facts, SOURCES),
    rule: 'L1',
    reason: 'its process continues as another session',
    grounds: evidenceOf(mark, 'another session of the same process'),
    how: continued?.how ?? 'continued',
  }
}

/** SPEC C1, C3. */
function dead(facts: Facts): Finding | undefined {
  const { process, died, sighted } = facts
  if (!process || isDetached(facts)) return undefined
  if (died && died.pid === process.pid && isOver(facts, died, process))
    return {
      state: 'closed',
      // A session that went on without its terminal ends with the server.
      since: Math.max(died.at, outlivesTerminal(facts) ? (facts.selfReport?.at ?? 0) : 0),
      rule: 'C1',
      reason: 'its process has ended',
      grounds: evidenceOf(died, `pid ${died.pid} ended`),
      how: goodbye(facts) ?? 'killed',
    }
  if (!sighted || sighted.pid !== process.pid || sighted.at < process.at) return undefined
  const sameStart = !process.start || !sighted.start || isSameStart(process.start, sighted.start)
  if (sighted.ours && sameStart) return undefined
  return {
    state: 'closed',
    since: sighted.at,
    rule: 'C3',
    reason: `its process has ended; pid ${process.pid} now belongs to another process`,
    grounds: evidenceOf(sighted, 'another process'),
    how: 'killed',
  }
}

/**
 * SPEC C7. The agent's server was at work on the session when its terminal was closed, and goes on:
 * the session is over when the server no longer answers, or lets go of it.
 */
export function isDetached(facts: Facts): boolean {
  return facts.selfReport?.status !== 'other' && outlivesTerminal(facts)
}

function outlivesTerminal(facts: Facts): boolean {
  const { process, died } = facts
  if (died?.pid !== process?.pid || !isServedThrough(facts)) return false
  return !died?.start || !process?.start || isSameStart(died.start, process.start)
}

/** The agent's server was at work on the session when a process of it ended: its turn goes on. */
export function isServedThrough({ died, served, selfReport }: Facts): boolean {
  if (!died || !served || selfReport?.source !== 'server') return false
  return served.from <= died.at && (served.to ?? died.at) >= died.at
}

/**
 * SPEC C5. Without start times on both sides, only a start of the session shows that its pid
 * belongs to a new client; a hook in flight at the death does not.
 */
function isOver(facts: Facts, died: ProcessFact, process: ProcessFact): boolean {
  if (died.start && process.start) return isSameStart(died.start, process.start)
  return !cameBack(facts, died)
}

/**
 * SPEC C2, C4. The session reported its end, and nothing that only a live session does came later.
 */
function gone(facts: Facts): Finding | undefined {
  const { left } = facts
  if (!left || left.continues || cameBack(facts, left)) return undefined
  const reason = `the session ended (${left.how})`
  return {
    state: 'closed',
    since: left.at,
    rule: 'C2',
    reason,
    grounds: evidenceOf(left, left.how),
    how: left.how,
  }
}

/** SPEC C5. A late tool event does not reopen a closed session; a start of any kind does. */
export function cameBack(facts: Facts, left: Mark & { readonly pid?: number }): boolean {
  const { opened, selfReport, process, turn } = facts
  if (opened && opened.at > left.at) return true
  if (selfReport && selfReport.at > left.at) return true
  if ((turn.promptedAt ?? 0) > left.at + HOOK_LAG_MS) return true
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
