import type { Facts, Passage, SelfReport } from './facts.ts'
import { newest } from './learn/mark.ts'
import { learnHolder, learnProcess } from './learn/process.ts'
import { learnRequest, learnRequestClosed } from './learn/requests.ts'
import { learnScreen } from './learn/screen.ts'
import { learnListed, learnTask } from './learn/tasks.ts'
import { learnSettled, learnSpoke, learnTool } from './learn/tools.ts'
import { learnTurn } from './learn/turn.ts'
import type { Details, Signal, SignalOf } from './signal.ts'

/**
 * Adds one signal to the facts. Knows no agent, no clock, no state: `judge` decides what the facts
 * mean. Learning a signal twice, or the signals of two sources in another order, gives the same
 * facts as far as a verdict depends on them (SPEC O1, O2).
 */
export function learn(facts: Facts, signal: Signal): Facts {
  const learned = learnKind(learnHolder(facts, signal), signal)
  const heard = hear(facts.heard, signal)
  if (heard === facts.heard) return learned
  // Facts other than the given ones are a fresh copy, which may still be changed in place.
  return learned === facts ? { ...facts, heard } : Object.assign(learned, { heard })
}

function learnKind(facts: Facts, signal: Signal): Facts {
  switch (signal.kind) {
    case 'turn-started':
    case 'turn-ended':
    case 'turn-interrupted':
    case 'turn-failed':
      return learnTurn(facts, signal)
    case 'tool-started':
    case 'tool-ended':
      return learnTool(facts, signal)
    case 'tools-settled':
      return learnSettled(facts, signal)
    case 'spoke':
      return learnSpoke(facts, signal)
    case 'request-opened':
      return learnRequest(facts, signal)
    case 'request-closed':
      return learnRequestClosed(facts, signal)
    case 'task-started':
    case 'task-ended':
      return learnTask(facts, signal)
    case 'tasks-listed':
      return learnListed(facts, signal)
    case 'self-report':
      return learnSelfReport(facts, signal)
    case 'process':
      return learnProcess(facts, signal)
    case 'screen':
      return learnScreen(facts, signal)
    default:
      return learnRest(facts, signal)
  }
}

type Rest =
  | 'opened'
  | 'left'
  | 'succeeded'
  | 'unattended'
  | 'compaction'
  | 'retrying'
  | 'woke'
  | 'looked'
  | 'typed'
  | 'loop'
  | 'words'

function learnRest(
  facts: Facts,
  signal: SignalOf<Rest | 'life' | 'details' | 'is-subagent' | 'is-hidden'>,
): Facts {
  const mark = { at: signal.at, source: signal.source }
  switch (signal.kind) {
    case 'opened':
      return { ...facts, opened: newest(facts.opened, passageOf(signal)) }
    case 'left': {
      const { pid } = signal.about
      const left = { ...passageOf(signal), ...(pid !== undefined && { pid }) }
      return { ...facts, left: newest(facts.left, left) }
    }
    case 'unattended':
      return facts.unattended ? facts : { ...facts, unattended: true }
    case 'succeeded':
      return { ...facts, succeeded: newest(facts.succeeded, mark) }
    case 'compaction':
      return { ...facts, compaction: newest(facts.compaction, { ...mark, open: signal.open }) }
    case 'retrying':
      return { ...facts, retrying: newest(facts.retrying, { ...mark, attempt: signal.attempt }) }
    case 'woke':
      return { ...facts, wokeAt: Math.max(facts.wokeAt ?? signal.at, signal.at) }
    case 'looked':
      return { ...facts, lookedAt: Math.max(facts.lookedAt ?? signal.at, signal.at) }
    case 'typed':
      return { ...facts, typedAt: Math.max(facts.typedAt ?? signal.at, signal.at) }
    case 'loop':
      return { ...facts, loop: newest(facts.loop, { ...mark, loop: signal.loop }) }
    case 'words': {
      const { said } = facts
      const asks = signal.asks && { asks: signal.asks }
      const words = newest(said[signal.by], { ...mark, text: signal.text, ...asks })
      return { ...facts, said: { ...said, [signal.by]: words } }
    }
    case 'is-subagent':
    case 'is-hidden':
      return facts
    case 'details':
      return { ...facts, details: merged(facts.details, signal.details) }
    case 'life':
      return facts
  }
}

function passageOf({ at, source, how, continues }: SignalOf<'opened' | 'left'>): Passage {
  return { at, source, how, ...(continues && { continues }) }
}

/**
 * The client's own report. Leaving `waiting` is stored separately, because it closes dialogs whose
 * hook is written a moment after the answer (SPEC W6). The registry is one source, so arrival order
 * is its own order.
 */
function learnSelfReport(facts: Facts, signal: SignalOf<'self-report'>): Facts {
  const reported: SelfReport = {
    at: signal.at,
    source: signal.source,
    status: signal.status,
    said: signal.said,
    ...(signal.for !== undefined && { for: signal.for }),
    ...(signal.turnOnly && { turnOnly: signal.turnOnly }),
  }
  const selfReport = strongest(facts.selfReport, reported)
  if (selfReport !== reported) return facts
  const known =
    reported.source === 'server'
      ? { ...facts, selfReport, served: served(facts, reported) }
      : { ...facts, selfReport }
  if (reported.status === 'waiting' || reported.status === 'other') return known
  const free = { ...known, freeAt: reported.at }
  return facts.selfReport?.status === 'waiting' ? { ...free, unblockedAt: reported.at } : free
}

/**
 * SPEC C7. The newest time in which the agent's server worked on the session. While the server does
 * not answer, that is not known.
 */
function served({ served: held }: Facts, { at, status }: SelfReport): Facts['served'] {
  if (status === 'other') return held
  const isActive = status === 'working' || status === 'waiting'
  if (isActive) return held && held.to === undefined ? held : { from: at }
  return held && held.to === undefined ? { from: held.from, to: at } : held
}

/**
 * SPEC R10. A client's title counts while neither a file nor a server of the client tells its
 * state: they are exact, and a title is drawn and read later.
 */
function strongest(held: SelfReport | undefined, reported: SelfReport): SelfReport {
  if (held && held.source !== reported.source && held.status !== 'other') {
    if (reported.source === 'title') return held
    if (held.source === 'title') return reported
  }
  return newest(held, reported)
}

/** The client appends details to a transcript again without a time: they are no sign of life. */
function hear(heard: Facts['heard'], signal: Signal): Facts['heard'] {
  if (signal.kind === 'details' || signal.kind === 'succeeded') return heard
  const before = heard[signal.source]
  if (before !== undefined && before >= signal.at) return heard
  const copy = { ...heard }
  copy[signal.source] = signal.at
  return copy
}

/** Details come with every status line; unchanged ones must not cost a copy. */
function merged(held: Details, reported: Details): Details {
  for (const key of Object.keys(reported) as (keyof Details)[])
    if (held[key] !== reported[key]) return { ...held, ...reported }
  return held
}
