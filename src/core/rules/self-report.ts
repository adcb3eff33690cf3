import type { Facts, Mark, Request, SelfReport } from '../facts.ts'
import { HOOK_LAG_MS, READY_MAX_MS, RECOVERY_MAX_MS, STALE_MS } from '../limits.ts'
import { askedFor, evidenceOf, type Finding, openToolAsRequest } from './finding.ts'
import { askedToolEndedAt } from './requests.ts'
import { idleAfterTurn, leftRunning, type Trace } from './trace.ts'
import { restartedAt } from './turn.ts'

/**
 * SPEC R1. The client's own report outweighs what hooks and transcript add up to: only the client
 * knows of Esc, of an allowed tool, of a Stop that another hook blocks. It may still be behind them
 * by the write of a file, or have been lost altogether.
 */
export function bySelfReport(facts: Facts, trace: Trace, now: number): Finding | undefined {
  const { selfReport } = facts
  if (!selfReport || outrun(facts, selfReport, trace) || now >= doubtedAt(facts, trace))
    return undefined
  if (now < trustedAt(facts, trace)) return undefined
  // SPEC R10. Such a client writes no title: that one is its terminal's.
  if (facts.unattended && selfReport.source === 'title') return undefined
  // SPEC C6: the last report of a process that has ended.
  if (selfReport.at <= voidUntil(facts, selfReport)) return undefined
  switch (selfReport.status) {
    case 'waiting':
      return waiting(facts, selfReport, trace)
    case 'working':
      return busy(facts, selfReport, trace)
    case 'background':
      return background(selfReport, trace)
    case 'idle':
      return idle(facts, selfReport, trace)
    case 'other':
      return undefined
  }
}

/**
 * SPEC R2, R6. A beginning newer than the report wins at once: it cannot be undone. So does the end
 * of the tool that was asked about: it cannot end while its dialog is open.
 */
function outrun(facts: Facts, selfReport: SelfReport, { finding, turn, requests }: Trace): boolean {
  // SPEC R10. Whatever another source tells later than a title is newer than what the title tells.
  const isNewer = finding.since > selfReport.at
  if (finding.state === 'waiting' && requests.length > 0)
    return isNewer && requests.some((request) => opensDialog(request, selfReport))
  if (selfReport.source === 'title' && isNewer && isCertain(finding)) return true
  if (finding.state === 'waiting') return false
  if (finding.state !== 'working' || finding.rule === 'T8') return false
  if (selfReport.status === 'waiting')
    return Math.max(facts.turn.promptedAt ?? 0, askedToolEndedAt(facts)) > selfReport.at
  if (selfReport.status !== 'idle' && selfReport.status !== 'background') return false
  const begun = turn.mark?.at ?? finding.since
  return begun > selfReport.at + (finding.rule === 'T1' ? 0 : HOOK_LAG_MS)
}

/** SPEC W13. Where hooks run before the dialog is drawn, server or title show when it is drawn. */
function opensDialog({ early }: Request, { status, source }: SelfReport): boolean {
  if (source === 'title' && status !== 'working') return true
  return status !== 'waiting' && !(early && (source === 'server' || source === 'title'))
}

/**
 * SPEC R11. A server has a conversation some time before its client's terminal can be used, which
 * title, screen or a hook shows.
 */
export function trustedAt(facts: Facts, { finding }: Trace): number {
  const { selfReport, heard, process, sighted, died } = facts
  const begun = process?.firstAt ?? sighted?.at
  const isServers = selfReport?.source === 'server' && selfReport.status === 'idle'
  if (begun === undefined || died || !isServers || finding.rule !== 'T11')
    return Number.NEGATIVE_INFINITY
  const shown = Math.max(heard.title ?? 0, heard.screen ?? 0, heard.hook ?? 0)
  return shown >= begun ? Number.NEGATIVE_INFINITY : begun + READY_MAX_MS
}

/** A title belongs to the terminal: it stays when the same client goes on with another session. */
function voidUntil(facts: Facts, selfReport: SelfReport): number {
  const isKept = selfReport.source === 'title' && facts.opened?.continues
  return isKept ? 0 : restartedAt(facts) - HOOK_LAG_MS
}

const KNOWN: ReadonlySet<string> = new Set(['working', 'waiting', 'idle', 'error'])

/** A menu on the screen may stand over a turn that goes on. */
function isCertain({ state, rule, ...finding }: Finding): boolean {
  return KNOWN.has(state) && !(rule === 'W9' && finding.for === 'dialog')
}

/**
 * SPEC R3. An ending newer than the report does not win at once: a Stop may be blocked, or its
 * hooks may run for a while, and the client stays busy. But a report that an ending has
 * contradicted for 12 s, without a newer one, no longer counts.
 */
export function doubtedAt(facts: Facts, { finding, tasks, requests }: Trace): number {
  const { selfReport } = facts
  if (!selfReport) return Number.POSITIVE_INFINITY
  // SPEC W13. By then the title would show the dialog, if nothing else had answered the request.
  const isEarly = selfReport.source === 'title' && requests.some(({ early }) => early)
  if (isEarly && finding.since > selfReport.at) return finding.since + HOOK_LAG_MS
  if (selfReport.status === 'working' || selfReport.status === 'background') {
    // A visible spinner is a second source for the report.
    const over =
      (finding.state === 'idle' || finding.state === 'error') && facts.screen?.shows !== 'working'
    return over && finding.since > selfReport.at
      ? finding.since + RECOVERY_MAX_MS
      : Number.POSITIVE_INFINITY
  }
  // The dialog may be a subagent's: the main agent's progress does not contradict it.
  if (selfReport.status !== 'waiting' || finding.state === 'waiting' || tasks.length > 0)
    return Number.POSITIVE_INFINITY
  const { turn } = facts
  const ends = latestOf(turn.ended, turn.interrupted, turn.failed)
  const over = Math.max(turn.promptedAt ?? 0, ends)
  if (over > selfReport.at) return over + RECOVERY_MAX_MS
  // Output close to the question may be the same message still streaming (SPEC M5).
  const moved = Math.max(turn.settledAt ?? 0, latestOf(turn.active, turn.spoke))
  return moved > selfReport.at + STALE_MS ? moved + RECOVERY_MAX_MS : Number.POSITIVE_INFINITY
}

function latestOf(...marks: (Mark | undefined)[]): number {
  return Math.max(...marks.map((mark) => mark?.at ?? 0))
}

/**
 * SPEC W10. The report has `permission prompt` for permissions and plans alike; the request says
 * which.
 */
function waiting(facts: Facts, selfReport: SelfReport, { requests, tools }: Trace): Finding {
  const request = requests.at(-1)
  const reported = selfReport.for ?? 'dialog'
  const onScreen = facts.screen?.shows === 'dialog' ? facts.screen.for : undefined
  const kind = reported === 'permission' ? (request?.for ?? onScreen ?? reported) : reported
  const asked = request ?? openToolAsRequest(kind, tools)
  return {
    state: 'waiting',
    since: Math.min(selfReport.at, request?.at ?? selfReport.at),
    rule: 'W10',
    reason: `the client reports that it waits for you: ${askedFor(kind)} (${selfReport.said})`,
    grounds: [...evidenceOf(selfReport, selfReport.said), ...evidenceOf(request, 'request opened')],
    for: kind,
    ...(asked && { request: asked }),
  }
}

function busy(facts: Facts, selfReport: SelfReport, trace: Trace): Finding {
  const { finding, turn } = trace
  const running = turn.open || selfReport.turnOnly ? undefined : leftRunning(facts, trace)
  if (running) return running
  if (finding.state === 'working')
    return { ...finding, grounds: [...finding.grounds, ...evidenceOf(selfReport, selfReport.said)] }
  // A turn whose end is blocked counts from its beginning; an unreported turn began with the
  // report.
  const begun = facts.turn.started?.at
  const since = begun !== undefined && begun <= selfReport.at ? begun : selfReport.at
  return {
    state: 'working',
    since: turn.end && turn.end.at > selfReport.at ? since : selfReport.at,
    rule: 'R4',
    reason: `the client reports that it is ${selfReport.said}`,
    grounds: evidenceOf(selfReport, selfReport.said),
  }
}

/** SPEC B3. The turn is over, and a shell that it started still runs. */
function background(selfReport: SelfReport, { finding }: Trace): Finding {
  if (finding.state === 'background') return finding
  return {
    state: 'background',
    since: selfReport.at,
    rule: 'B3',
    reason: `the client reports that its turn is over and a ${selfReport.said} still runs`,
    grounds: evidenceOf(selfReport, selfReport.said),
  }
}

function idle(facts: Facts, selfReport: SelfReport, trace: Trace): Finding {
  const { finding, turn } = trace
  if (finding.state === 'idle' || finding.state === 'error') return finding
  // SPEC R9. Such a report tells neither dialogs that the client opens itself nor background work.
  if (selfReport.turnOnly && (finding.rule === 'W9' || finding.state === 'background'))
    return finding
  const running = selfReport.turnOnly ? leftRunning(facts, trace) : undefined
  if (running) return running
  return {
    state: 'idle',
    since: selfReport.at,
    rule: 'R5',
    reason: `the client reports that it is ${selfReport.said}`,
    grounds: evidenceOf(selfReport, selfReport.said),
    after: idleAfterTurn(facts, turn),
  }
}
