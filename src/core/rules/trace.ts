import { type Facts, lastHeardAt, type Request, type Task, type Tool } from '../facts.ts'
import { HOOK_LAG_MS } from '../limits.ts'
import { SOURCES } from '../signal.ts'
import type { IdleAfter } from '../verdict.ts'
import { askedFor, evidenceOf, type Finding, lastSign } from './finding.ts'
import { unansweredRequests } from './requests.ts'
import { dialogOnScreen, endedOnScreen, spinnerOnScreen } from './screen.ts'
import { openTasks, openTools } from './tasks.ts'
import { restartedAt, type TurnView, turnView } from './turn.ts'

/** What hooks, transcript and screen add up to, without the client's own report. */
export interface Trace {
  readonly finding: Finding
  readonly turn: TurnView
  readonly requests: readonly Request[]
  readonly tasks: readonly Task[]
  readonly tools: readonly Tool[]
}

export function traceOf(facts: Facts, now: number): Trace {
  const turn = endedOnScreen(facts, turnView(facts), now)
  const requests = unansweredRequests(facts)
  const tasks = openTasks(facts)
  const tools = openTools(facts, turn.open ? turn.since : undefined)
  const known = { turn, requests, tasks, tools }
  const finding =
    asking(facts, known) ??
    dialogOnScreen(facts, known) ??
    inTurn(turn) ??
    spinnerOnScreen(facts, turn) ??
    leftRunning(facts, known) ??
    afterTurn(facts, turn) ??
    beforeFirstTurn(facts)
  return { finding, ...known }
}

/** SPEC W1, W2. A request without an answer. */
function asking(facts: Facts, { requests }: Pick<Trace, 'requests'>): Finding | undefined {
  const request = requests.at(-1)
  if (!request || facts.unattended) return undefined
  const who = request.actor === undefined ? 'the agent' : 'a subagent'
  return {
    state: 'waiting',
    since: request.at,
    rule: request.actor === undefined ? 'W1' : 'W2',
    reason: `${who} asks for ${askedFor(request.for)} (${request.tool}) and has no answer yet`,
    grounds: evidenceOf(request, 'request opened'),
    for: request.for,
    request,
  }
}

function inTurn(turn: TurnView): Finding | undefined {
  if (!turn.open) return undefined
  return {
    state: 'working',
    since: turn.since,
    rule: turn.rule,
    reason: WHY_OPEN[turn.rule] ?? 'a turn is open',
    grounds: evidenceOf(turn.mark, 'turn open'),
  }
}

const WHY_OPEN: Readonly<Record<string, string>> = {
  T1: 'a turn has started and not ended yet',
  T5: 'a queued prompt started when the last turn ended',
  T6: 'the agent continued after its turn had ended',
  T13: 'its loop is deciding whether the turn may end',
  M5: 'the agent continued after an error',
}

/** SPEC B1. The turn is over, but tasks that it started still run. */
export function leftRunning(
  facts: Facts,
  { tasks, turn }: Pick<Trace, 'tasks' | 'turn'>,
): Finding | undefined {
  if (tasks.length === 0) return undefined
  // SPEC B9. What runs before the first turn is the client's own.
  if (!turn.end && facts.opened?.how === 'startup') return undefined
  const since = turn.end
    ? turn.since
    : Math.min(...tasks.map((task) => task.startedAt ?? turn.since))
  const names = tasks.map((task) => task.label ?? task.what ?? task.id).join(', ')
  return {
    state: 'background',
    since,
    rule: 'B1',
    reason: `the turn is over, ${tasks.length} of its tasks still run: ${names}`,
    grounds: turn.end ? evidenceOf(turn.mark, 'turn ended') : lastSign(facts),
  }
}

function afterTurn(facts: Facts, turn: TurnView): Finding | undefined {
  const { end } = turn
  if (!end) return undefined
  const grounds = evidenceOf(turn.mark, `turn ended: ${end.how}`)
  const { since, rule } = turn
  if (end.how === 'fail') {
    const cause = end.cause ?? 'unknown'
    return { state: 'error', since, rule, reason: `the turn failed: ${cause}`, grounds, cause }
  }
  const after = idleAfterTurn(facts, turn)
  return { state: 'idle', since, rule, reason: `the turn is over (${after})`, grounds, after }
}

/** SPEC T10. */
function beforeFirstTurn(facts: Facts): Finding {
  const { opened, screen, process, sighted } = facts
  if (opened) {
    const grounds = evidenceOf(opened, `session opened: ${opened.how}`)
    const reason = 'the session is open and no turn has begun'
    return { state: 'idle', since: opened.at, rule: 'T10', reason, grounds, after: 'start' }
  }
  if (screen?.shows === 'prompt' || screen?.shows === 'text') {
    const grounds = [{ source: 'screen' as const, saw: 'input line', at: screen.at }]
    const reason = 'its screen shows an empty input line'
    return { state: 'idle', since: screen.since, rule: 'T10', reason, grounds, after: 'start' }
  }
  const seen = process ?? sighted
  if (seen && restartedAt(facts) > 0) {
    const reason = 'the session was resumed in a new process'
    const grounds = evidenceOf(seen, 'process')
    return { state: 'idle', since: seen.at, rule: 'C6', reason, grounds, after: 'start' }
  }
  if (seen) {
    const reason = 'its process runs, but has not reported anything yet'
    return {
      state: 'starting',
      since: seen.at,
      rule: 'T11',
      reason,
      grounds: evidenceOf(seen, 'process'),
    }
  }
  const since = lastHeardAt(facts, SOURCES)
  if (facts.heard.statusline !== undefined) {
    const reason = 'it draws its status line, but has not reported anything yet'
    return { state: 'starting', since, rule: 'T11', reason, grounds: lastSign(facts) }
  }
  return {
    state: 'unknown',
    since,
    rule: 'U1',
    reason: 'nothing that vigil has seen shows its state',
    grounds: [],
  }
}

/** SPEC T12. What kind of turn it was that left the session idle. */
export function idleAfterTurn(facts: Facts, turn: TurnView): IdleAfter {
  const { end } = turn
  if (!end) return turn.open ? 'interrupt' : 'start'
  if (end.how === 'interrupt') return 'interrupt'
  if (end.how === 'compact') return 'compact'
  const { started, workedAt } = facts.turn
  if (started?.by === 'task') return 'work'
  const worked = workedAt !== undefined && workedAt > (started?.at ?? 0) - HOOK_LAG_MS
  return worked ? 'work' : 'talk'
}
