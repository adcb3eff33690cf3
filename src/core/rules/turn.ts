import type { Facts, TurnFacts, TurnMark } from '../facts.ts'
import { HOOK_LAG_MS, STALE_MS } from '../limits.ts'
import { cameBack, isServedThrough } from './closing.ts'

/**
 * SPEC C6. When the session last came back in a new process: none of its turns, requests and tasks
 * survived the old one.
 */
export function restartedAt(facts: Facts): number {
  const { opened, left, died, process } = facts
  // The old process's death may be detected long after the new one took over.
  const taken = died && process && died.pid !== process.pid && !isServedThrough(facts)
  const replaced = taken ? Math.min(died.at, process.firstAt) : 0
  const returned = left && cameBack(facts, left) ? left.at : 0
  return Math.max(opened?.at ?? 0, returned, replaced)
}

type Marks = Pick<
  TurnFacts,
  'started' | 'active' | 'resumed' | 'touched' | 'interrupted' | 'failed'
>

/** The marks that are newer than `floor`. */
function since(turn: TurnFacts, floor: number): Marks {
  const after = <M extends TurnMark>(mark: M | undefined) =>
    mark !== undefined && mark.at > floor ? mark : undefined
  return {
    started: after(turn.started),
    active: after(turn.active),
    resumed: after(turn.resumed),
    touched: after(turn.touched),
    interrupted: after(turn.interrupted),
    failed: after(turn.failed),
  }
}

/** What the turn marks say, without the client's own report and without the screen. */
export interface TurnView {
  /** Undefined: no mark of any turn was seen. */
  readonly open?: boolean
  /** Since when it is open or over. */
  readonly since: number
  readonly rule: string
  readonly mark?: TurnMark
  readonly end?: TurnEnd
}

interface TurnEnd extends TurnMark {
  readonly how: 'done' | 'compact' | 'interrupt' | 'fail'
  readonly cause?: string
  readonly asked?: true
}

export function turnView(facts: Facts): TurnView {
  const floor = restartedAt(facts) - HOOK_LAG_MS
  const marks = since(facts.turn, floor)
  const { started, active, resumed, touched } = marks
  const end = newestEnd(facts, marks, floor)
  if (end?.asked && !(resumed && resumed.at >= end.at))
    return { open: true, since: started?.at ?? end.at, rule: 'T13', mark: end }
  if (!end) {
    const mark = started ?? active ?? touched
    return mark ? { open: true, since: mark.at, rule: 'T1', mark } : { since: 0, rule: 'T0' }
  }
  if (started && startsAfter(started, end))
    return { open: true, since: started.at, rule: 'T1', mark: started }
  if (resumed && resumes(facts, resumed, end))
    return { open: true, since: started?.at ?? resumed.at, rule: 'T6', mark: resumed }
  if (queuedBehind(facts, end)) return { open: true, since: end.at, rule: 'T5', mark: end }
  if (end.how === 'fail' && goesOn(facts, end))
    return { open: true, since: end.at, rule: 'M5', mark: facts.turn.spoke ?? end }
  if (active && revives(active, end))
    return { open: true, since: active.at, rule: 'T6', mark: active, end }
  return { open: false, since: end.at, rule: ruleOf(end), mark: end, end }
}

/**
 * The newest end, from the most specific mark. The client writes its turn's length after an
 * interrupt and after an API error too (recordings bash_reject, err400), so a bare "over" that
 * follows one of them within the same turn must not hide it (SPEC T3, E1).
 */
function newestEnd(facts: Facts, marks: Marks, floor: number): TurnEnd | undefined {
  const { interrupted, failed, started } = marks
  const ended = laterOf(facts.turn.ended, compacted(facts))
  const special = laterOf<TurnEnd>(
    interrupted && { ...interrupted, how: 'interrupt' as const },
    failed && { ...failed, how: 'fail' as const },
  )
  if (!ended || ended.at <= floor) return special
  const plain = {
    ...ended,
    how: ended.how === 'compact' ? ('compact' as const) : ('done' as const),
  }
  if (!special) return plain
  if (special.at >= ended.at) return special
  // A queued prompt begins its turn without a hook; its Stop names it (recording err_queue).
  const named = ended.turn !== undefined && special.turn !== undefined
  const another = (named && ended.turn !== special.turn) || (started?.at ?? 0) > special.at
  const sameTurn = ended.at - special.at <= STALE_MS && !another
  return sameTurn ? { ...special, at: ended.at } : plain
}

/**
 * SPEC T7. A manual compaction is a turn without a Stop: the end of the compaction ends it. An
 * automatic one happens inside a turn and ends nothing (a seed treated it as the end, wrong 42 of
 * 42).
 */
function compacted(facts: Facts): TurnFacts['ended'] {
  const { compaction, turn } = facts
  if (turn.started?.by !== 'compaction' || !compaction || compaction.open) return undefined
  if (compaction.at <= turn.started.at) return undefined
  return { at: compaction.at, source: compaction.source, how: 'compact' }
}

/**
 * SPEC T2. A start after the end opens a turn. An end that names another turn and is hardly later
 * is the previous turn's Stop, written late (recording queue: both Stops within 0.1 s).
 */
function startsAfter(started: TurnMark, end: TurnEnd): boolean {
  if (started.at > end.at) return true
  const named = started.turn !== undefined && end.turn !== undefined
  return named && started.turn !== end.turn && end.at - started.at < HOOK_LAG_MS
}

/**
 * SPEC T6. Another hook's feedback after the end: the Stop was blocked. The Stop's own hook may be
 * written after the feedback that it caused, so where the transcript has both, its order counts.
 */
function resumes({ turn }: Facts, resumed: TurnMark, end: TurnEnd): boolean {
  if (resumed.at > end.at) return true
  if (end.source !== 'hook' || end.how !== 'done') return false
  return resumed.at > (turn.concludedAt ?? 0) && end.at - resumed.at < HOOK_LAG_MS
}

/**
 * SPEC T5. A prompt typed while working carries the running turn's id. If a batch of tools returned
 * after it, it was sent along with their results; if not, the Stop of that turn starts the next one
 * at once, and no hook reports it.
 */
function queuedBehind(facts: Facts, end: TurnEnd): boolean {
  const { queued, settledAt } = facts.turn
  if (!queued || end.how !== 'done' || queued.turn === undefined) return false
  if (queued.turn !== end.turn || queued.at > end.at) return false
  return !(settledAt !== undefined && settledAt > queued.at)
}

/** SPEC M5. Output well past the error: the error did not end the turn. */
function goesOn({ turn }: Facts, end: TurnEnd): boolean {
  return turn.spoke !== undefined && turn.spoke.at > end.at + STALE_MS
}

/**
 * SPEC T6. Work after the end reopens the turn: another Stop hook blocked it. After an interrupt
 * only another turn's work counts, because a tool's hook may be written after the Esc that ended
 * it.
 */
function revives(active: TurnMark, end: TurnEnd): boolean {
  const margin = active.source === end.source ? 0 : HOOK_LAG_MS
  if (active.at <= end.at + margin) return false
  if (end.how !== 'interrupt') return true
  if (active.turn !== undefined && end.turn !== undefined) return active.turn !== end.turn
  return active.at > end.at + STALE_MS
}

function ruleOf(end: TurnEnd): string {
  if (end.how === 'fail') return 'E1'
  if (end.how === 'interrupt') return 'T4'
  return end.how === 'compact' ? 'T7' : 'T3'
}

function laterOf<M extends TurnMark>(a: M | undefined, b: M | undefined): M | undefined {
  if (!a || !b) return a ?? b
  return b.at >= a.at ? b : a
}
