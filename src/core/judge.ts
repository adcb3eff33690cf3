import { ATTENTION_DEFAULT, type Attention, isUnread, seenAt } from './attention.ts'
import { type Facts, lastHeardAt } from './facts.ts'
import { EVIDENCE_MAX_MS, SILENCE_MAX_MS, TYPING_MS } from './limits.ts'
import { closed, isDetached } from './rules/closing.ts'
import { type Finding, lastSign } from './rules/finding.ts'
import { bySelfReport } from './rules/self-report.ts'
import { type Trace, traceOf } from './rules/trace.ts'
import { type LoopFacet, SOURCES } from './signal.ts'
import type { Doing, TaskFacet, Verdict } from './verdict.ts'

/** A verdict with what it was made from, so that `nextLook` need not make it again. */
export interface Judgement {
  readonly verdict: Verdict
  /** Absent where the session is closed: then nothing else counts. */
  readonly trace?: Trace
}

/**
 * What the facts mean at `now`. Rules are ordered; the first that matches decides (SPEC, all
 * sections).
 */
export function judgementOf(
  facts: Facts,
  now: number,
  attention: Attention = ATTENTION_DEFAULT,
): Judgement {
  const end = closed(facts, now)
  if (end) return { verdict: dressed(facts, end, { now, attention }) }
  const trace = traceOf(facts, now)
  const finding = bySelfReport(facts, trace, now) ?? trace.finding
  const found = aged(facts, finding, trace, now)
  return { verdict: dressed(facts, found, { now, attention, trace }), trace }
}

export function judge(facts: Facts, now: number): Verdict {
  return judgementOf(facts, now).verdict
}

/** SPEC M2, M4. How the passing of time alone changes a finding. */
function aged(facts: Facts, finding: Finding, trace: Trace, now: number): Finding {
  const life = lifeAt(facts)
  if (!facts.process && now - life > EVIDENCE_MAX_MS) {
    const since = life + EVIDENCE_MAX_MS
    const reason = `last seen ${finding.state} half an hour ago, and its process is not known`
    return { state: 'unknown', since, rule: 'M4', reason, grounds: lastSign(facts) }
  }
  if (finding.state !== 'working' || !canStick(facts, trace)) return finding
  if (now - life <= SILENCE_MAX_MS) return finding
  const reason = 'it should be working, but there was no activity for two minutes'
  return { ...finding, state: 'stuck', since: life + SILENCE_MAX_MS, rule: 'M2', reason }
}

/** SPEC M2. A tool may be silent for any length of time; so may a subagent, and a loop's check. */
export function canStick(facts: Facts, trace: Trace): boolean {
  if (trace.turn.rule === 'T13') return false
  return trace.tools.length === 0 && trace.tasks.length === 0 && !facts.compaction?.open
}

/**
 * SPEC M1. The newest sign of life of the agent. Neither the existence of its process nor its
 * user's look is one: a hung client exists too, and its user looks at it. After the machine slept
 * the silence is counted from the wake-up; otherwise every session would wake up stuck.
 */
export function lifeAt(facts: Facts): number {
  return Math.max(facts.wokeAt ?? 0, lastHeardAt(facts, SIGNS))
}

/** Sources that say nothing about the agent: its process, its user, its loop. */
const SIGNS = SOURCES.filter((source) => !['process', 'keystroke', 'loop'].includes(source))

interface Seen {
  readonly now: number
  readonly attention: Attention
  readonly trace?: Trace
}

function dressed(facts: Facts, finding: Finding, { now, attention, trace }: Seen): Verdict {
  const { state, since, rule, reason, grounds, request, after, cause, how } = finding
  const verdict: { -readonly [K in keyof Verdict]: Verdict[K] } = {
    session: facts.session,
    state,
    since,
    rule,
    reason,
    grounds,
    unread: isUnread(facts, finding, now, attention),
    typing: isTyping(facts, finding, now),
    tasks: trace && trace.tasks.length > 0 ? trace.tasks.map(taskFacet) : NO_TASKS,
    details: facts.details,
  }
  if (finding.for) verdict.for = finding.for
  if (request) verdict.request = asked(request)
  if (after) verdict.after = after
  if (cause) verdict.cause = cause
  if (how) verdict.how = how
  if (trace && state === 'working') verdict.doing = doingOf(facts, trace)
  const loop = loopShown(facts)
  if (loop) verdict.loop = loop
  if (state !== 'closed' && isDetached(facts)) verdict.detached = true
  return verdict
}

const NO_TASKS: readonly TaskFacet[] = []

function asked(request: NonNullable<Finding['request']>): NonNullable<Verdict['request']> {
  const { tool, at, text, actor } = request
  return { tool, at, ...(text !== undefined && { text }), ...(actor !== undefined && { actor }) }
}

function taskFacet(task: Trace['tasks'][number]): TaskFacet {
  const facet = { id: task.id, what: task.what ?? 'task' }
  return task.label === undefined ? facet : { ...facet, label: task.label }
}

/**
 * SPEC LP84. A stuck loop is shown until the user has seen it and the session goes on without it.
 */
function loopShown(facts: Facts): LoopFacet | null | undefined {
  const { loop, turn } = facts
  const over = loop?.loop?.state === 'STUCK' && (turn.started?.at ?? 0) > loop.at
  return over && seenAt(facts) > loop.at ? undefined : loop?.loop
}

/** SPEC A4, and the two transitions claude-rpg-audit.md forbids. */
function isTyping(facts: Facts, { state, since }: Finding, now: number): boolean {
  const { typedAt } = facts
  if (typedAt === undefined || now - typedAt >= TYPING_MS) return false
  // Text typed earlier belongs to the state before: it was sent, or discarded.
  if (typedAt <= Math.max(since, lastBusyAt(facts))) return false
  return state === 'idle' || state === 'waiting' || state === 'background'
}

/** The newest sign of work, failure or restart, or of the prompt that replaced work. */
function lastBusyAt({ turn, screen, opened }: Facts): number {
  const marks = [turn.started, turn.active, turn.failed, opened].map((mark) => mark?.at ?? 0)
  const shown = screen?.workingAt === undefined ? 0 : Math.max(screen.workingAt, screen.since)
  return Math.max(shown, ...marks)
}

function doingOf(facts: Facts, { tools, turn }: Trace): Doing {
  const tool = tools.findLast((entry) => entry.actor === undefined)
  if (tool) {
    const doing = { what: 'tool' as const, tool: tool.name, since: tool.startedAt ?? turn.since }
    return tool.label === undefined ? doing : { ...doing, label: tool.label }
  }
  if (facts.compaction?.open) return { what: 'compacting', since: facts.compaction.at }
  const spoke = Math.max(turn.since, facts.turn.spoke?.at ?? 0, facts.turn.settledAt ?? 0)
  if (facts.retrying && facts.retrying.at > spoke)
    return { what: 'retrying', since: facts.retrying.at }
  return { what: 'thinking', since: spoke }
}
