import type { Facts } from './facts.ts'
import type { HandleIndex } from './handle-index.ts'
import { RESUME_GUESS_MS, STALE_MS } from './limits.ts'
import { isSameStart } from './process-start.ts'
import { closed } from './rules/closing.ts'
import type { About, Signal, SignalOf } from './signal.ts'
import { isStandIn } from './stand-ins.ts'

/** What is known of an agent's sessions when a signal arrives that names no session. */
export interface Known {
  readonly where: HandleIndex
  ids(): Iterable<string>
  facts(session: string): Facts | undefined
}

export function isOpenSession(known: Known, session: string): boolean {
  return closedAt(known, session) === undefined
}

function closedAt(known: Known, session: string): number | undefined {
  const facts = known.facts(session)
  return facts ? closed(facts, Number.POSITIVE_INFINITY)?.since : 0
}

/** Whether the session's process has ended, so that its pid now means another process (SPEC C3). */
export function isDead(known: Known, session: string, { pid, start }: About): boolean {
  const facts = known.facts(session)
  // The session has moved to a newer process: a signal from the old one is still about it.
  if (!facts || (pid !== undefined && facts.process?.pid !== pid)) return false
  const begun = facts.process?.start
  if (begun !== undefined && start !== undefined && !isSameStart(begun, start)) return true
  const end = closed(facts, Number.POSITIVE_INFINITY)
  return end?.rule === 'C1' || end?.rule === 'C3'
}

/** SPEC C3. The session that had a pid before the kernel gave it to another process. */
export function formerOf(known: Known, { about, at }: Signal): string | undefined {
  const held = known.where.ofPid(about.pid)
  if (!held || about.folder === undefined || !isDead(known, held.session, about)) return undefined
  return at > (closedAt(known, held.session) ?? 0) ? held.session : undefined
}

/** SPEC L4. The session of a folder that lacks a process: open, or ended a moment ago. */
export function withoutProcess(
  known: Known,
  folder: string,
  { at, begins }: Pick<SignalOf<'process'>, 'at' | 'begins'>,
): string | undefined {
  const there = known.where.inFolder(folder).filter((id) => !isStandIn(id))
  const open = there.filter((id) => isOpenSession(known, id) && !known.facts(id)?.process)
  if (open.length > 0) return onlyOne(open)
  if (begins) return undefined
  const ended = there
    .map((id) => ({ id, since: closedAt(known, id) ?? 0 }))
    .filter(({ since }) => since > at - RESUME_GUESS_MS)
    .sort((a, b) => b.since - a.since)
  return ended[0]?.id
}

export function isContinuing(signal: Signal): signal is SignalOf<'opened'> {
  return signal.kind === 'opened' && signal.continues === true
}

/** SPEC L1. Which session of a folder continues as this one, where no pid decides. */
export function continuedBy(
  known: Known,
  there: readonly string[],
  { at, how }: SignalOf<'opened'>,
): string | undefined {
  const continued = there.filter((id) => {
    const left = known.facts(id)?.left
    return left?.continues && left.how === how && Math.abs(at - left.at) < STALE_MS
  })
  return onlyOne(continued) ?? onlyOne(there.filter((id) => isOpenSession(known, id)))
}

/** SPEC L6. The one open session whose pane is unknown. */
export function onlyPaneless(known: Known): string | undefined {
  let found: string | undefined
  for (const id of known.where.paneless()) {
    if (!isOpenSession(known, id)) continue
    if (found !== undefined) return undefined
    found = id
  }
  return found
}

/**
 * SPEC L7. A fork copies the turns of its parent session with their ids, and does not name the
 * parent. So a turn reported for two sessions of a folder makes the later named one the child.
 */
export function forkedFrom(known: Known, session: string, signal: Signal): string | undefined {
  const { folder } = signal.about
  if (signal.kind !== 'turn-started' || signal.source !== 'transcript') return undefined
  if (!signal.turn || folder === undefined) return undefined
  return onlyOne(
    known.where.inFolder(folder).filter((other) => {
      return other !== session && known.facts(other)?.turn.started?.turn === signal.turn
    }),
  )
}

/**
 * SPEC SC18. An agent started inside another agent's pane: the screen still belongs to the outer
 * one.
 */
export function ownsItsProcess(known: Known, outer: string): boolean {
  if (!isOpenSession(known, outer)) return false
  const pid = known.facts(outer)?.process?.pid
  return known.where.ofPid(pid)?.session === outer
}

export function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}

/** SPEC L9. A hook's parent is the session's process if it was seen as a client. */
export function withRunner(known: Known, signal: Signal): Signal {
  const { runner, pid } = signal.about
  if (runner === undefined || pid !== undefined || !known.where.ofPid(runner)) return signal
  return { ...signal, about: { ...signal.about, pid: runner } }
}
