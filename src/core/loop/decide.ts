import { flawOf, lateWords, overspentWords, staleWords, usedUpWords, withCost } from './bounds.ts'
import { checkChore, passed } from './check.ts'
import { framesWith, type Grind, nextChore, takesItems } from './grind.ts'
import { holdForHuman, parkUntil } from './holds.ts'
import { noProgress, streaksAfter } from './progress.ts'
import { reasonOf } from './reason.ts'
import type { LoopRun, LoopState } from './run.ts'
import { givesUp } from './signal-words.ts'
import { signalIn } from './signals.ts'
import { type End, endRun, NO_STREAKS, popFrame } from './stack.ts'
import { loopStateOf } from './state.ts'
import type { Stop, StopDecision, Turn } from './stop.ts'

export type { PendingCheck, Stop, StopDecision } from './stop.ts'

/**
 * What follows from a Stop: checks in order, the first that returns a decision wins. Blocking is
 * the remainder, so any fault lets the agent stop.
 */
export function decide(run: LoopRun | undefined, stop: Stop, now: number): StopDecision {
  // SPEC LP1. The switch must work when all else is broken, so it comes before everything.
  if (stop.disabled) return unchanged(run, 'loops are switched off')
  const top = run?.stack.at(-1)
  if (!run || !top || run.event === 'DONE') return unchanged(run, 'there is no loop')
  const turn: Turn = { run, top, stop, now }
  return first(CHECKS, turn) ?? goOn(turn)
}

type Check = (turn: Turn) => StopDecision | undefined

/**
 * The checks of idle-stop-hook.md up to the signal; vigil's own where they only add reasons to let
 * the agent stop. The document checks iterations before the signal, and so discards what the last
 * iteration achieved.
 */
const CHECKS: readonly Check[] = [
  aborted,
  stale,
  corrupt,
  held,
  finished,
  usedUp,
  handedOut,
  late,
  overspent,
  stalled,
  tripped,
]

/** Checked again between two items of a grind, before the next item is taken. */
const BETWEEN_ITEMS: readonly Check[] = [handedOut, late, overspent, tripped]

function first(checks: readonly Check[], turn: Turn): StopDecision | undefined {
  for (const check of checks) {
    const decision = check(turn)
    if (decision) return decision
  }
  return undefined
}

/** SPEC LP3. */
function aborted({ run, now }: Turn): StopDecision | undefined {
  if (run.event !== 'ABORT') return undefined
  const because = run.because ?? 'the loop was aborted'
  const end: End = { event: 'ABORT', because, ...(run.reason && { reason: run.reason }) }
  return allow('ABORTED', endRun(run, end, now), because)
}

/** SPEC LP4. */
function stale({ run, now }: Turn): StopDecision | undefined {
  return stuck(run, 'STUCK', staleWords(run, now), now)
}

/** SPEC LP5. */
function corrupt({ run, now }: Turn): StopDecision | undefined {
  const because = flawOf(run)
  if (because === undefined) return undefined
  const end: End = { event: 'ABORT', reason: 'CORRUPT', because }
  return allow('ABORTED', endRun(run, end, now), because)
}

/** SPEC LP6. */
function usedUp({ run, top, now }: Turn): StopDecision | undefined {
  return takesItems(top) ? undefined : stuck(run, 'MAX_ITERATIONS', usedUpWords(top), now)
}

/** SPEC LP7. Returns the same run: there is nothing to store. */
function held({ run }: Turn): StopDecision | undefined {
  return run.hold && unchanged(run, `${run.hold.kind}: ${run.hold.why}`)
}

/**
 * SPEC LP11, LP12. The agent's signal ends a loop, unless a command decides: then the command runs
 * at every Stop, because an agent may have finished without noticing. For an item both must agree:
 * tests that pass before the work would otherwise complete every item at its first Stop.
 */
function finished(turn: Turn): StopDecision | undefined {
  const { top, stop } = turn
  const signal = signalIn(stop.message, top.mode)
  const until = takesItems(top) ? undefined : top.until
  if (signal !== undefined && (until === undefined || givesUp(signal)))
    return complete(turn, signal, `the agent said ${signal}`)
  if (until === undefined || (top.item && signal === undefined)) return undefined
  if (!stop.check) return { act: 'chore', chore: checkChore(top, until) }
  if (!passed(stop.check)) return undefined
  return complete(turn, signal ?? 'COMPLETE', `${until} exits 0`)
}

/** SPEC LP20. A grind counts items, and has done what was asked: it needs no person. */
function handedOut({ run, top, now }: Turn): StopDecision | undefined {
  if (!takesItems(top) || usedUpWords(top) === undefined) return undefined
  return completed(run, 'MAX_ISSUES', `it has given out ${top.iter} items, which is its limit`, now)
}

/** SPEC LP13. */
function late({ run, now }: Turn): StopDecision | undefined {
  return stuck(run, 'STUCK', lateWords(run, now), now)
}

/** SPEC LP14. */
function overspent({ run, stop, now }: Turn): StopDecision | undefined {
  return stuck(run, 'STUCK', overspentWords(run, stop.costUsd), now)
}

/** SPEC LP15. A grind between two items has no work of its own to make progress with. */
function stalled({ run, top, stop, now }: Turn): StopDecision | undefined {
  if (takesItems(top)) return undefined
  const streaks = streaksAfter(run.streaks, stop)
  return stuck(run, 'STUCK', noProgress(streaks, top.patience, stop.failing), now)
}

/** SPEC LP16. Parked and not ended: the fault is not in this loop. */
function tripped({ run, stop, now }: Turn): StopDecision | undefined {
  if (!stop.breaker) return undefined
  const { why, until } = stop.breaker
  return allow('ACTIVE', parkUntil(run, why, until, now), why)
}

/** SPEC LP11. The frame below continues at the next Stop, an item's grind at once. */
function complete(turn: Turn, reason: string, because: string): StopDecision {
  const run = popFrame(turn.run, { event: 'DONE', reason, because }, turn.now)
  const top = run.stack.at(-1)
  if (!turn.top.item || !top || !takesItems(top)) return allow('COMPLETING', run, because)
  const between: Turn = { ...turn, run, top }
  return first(BETWEEN_ITEMS, between) ?? takeNext(between, top)
}

function goOn(turn: Turn): StopDecision {
  const { run, top, stop, now } = turn
  if (takesItems(top)) return takeNext(turn, top)
  const frame = { ...top, iter: top.iter + 1 }
  const after = { ...run, stack: [...run.stack.slice(0, -1), frame] }
  const streaks = streaksAfter(run.streaks, stop)
  return block({ ...after, streaks }, stop, now, `iteration ${frame.iter} of ${frame.max}`)
}

/**
 * SPEC LP19, LP20. The document's grind continues at the next Stop, which never comes once the
 * agent has stopped: here the next item is taken at once.
 */
function takeNext({ run, stop, now }: Turn, grind: Grind): StopDecision {
  const { next } = stop
  if (!next) return { act: 'chore', chore: nextChore(run.id, grind) }
  if ('error' in next) return askPerson(run, `no next item: ${next.error}`, now)
  if ('none' in next) return completed(run, 'NO_MORE_ISSUES', 'no items are left', now)
  const { item, worktree } = next
  // A source that keeps listing finished items would hand them out until the limit.
  if (grind.taken?.includes(item.id))
    return askPerson(run, `the source gave item ${item.id} again`, now)
  const stack = [...run.stack.slice(0, -1), ...framesWith(grind, item, worktree, now)]
  const after = { ...run, stack, streaks: NO_STREAKS, unsaid: true }
  return block(after, stop, now, `item ${item.id}: ${item.title}`)
}

/** SPEC LP17. Continues the agent, counts the iteration and makes the run fresh. */
function block(run: LoopRun, stop: Stop, now: number, why: string): StopDecision {
  const after: LoopRun = {
    ...withCost(run, stop.costUsd),
    unsaid: false,
    parkedTimes: 0,
    updatedAt: now,
  }
  return {
    act: 'block',
    run: after,
    from: 'ACTIVE',
    to: 'ACTIVE',
    reason: reasonOf(run, stop),
    why,
  }
}

function askPerson(run: LoopRun, why: string, now: number): StopDecision {
  return allow('ACTIVE', holdForHuman(run, why, now), why)
}

/** SPEC LP6. A person must look at a limit that was reached, so it ends outer loops too. */
function stuck(run: LoopRun, reason: string, because: string | undefined, now: number) {
  if (because === undefined) return undefined
  return allow('STUCK', endRun(run, { event: 'DONE', reason, because }, now), because)
}

function completed(run: LoopRun, reason: string, because: string, now: number): StopDecision {
  return allow('COMPLETING', popFrame(run, { event: 'DONE', reason, because }, now), because)
}

function allow(to: LoopState, run: LoopRun, why: string): StopDecision {
  return { act: 'allow', run, from: 'ACTIVE', to, why }
}

function unchanged(run: LoopRun | undefined, why: string): StopDecision {
  return { act: 'allow', run, from: loopStateOf(run), to: loopStateOf(run), why }
}
