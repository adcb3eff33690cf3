import { agentOf, UNNAMED_AGENT } from '../../agents/index.ts'
import type { Usage } from '../../agents/records.ts'
import { nothingKnown } from '../../core/facts.ts'
import type { Report } from '../../core/signal.ts'
import type { Verdict } from '../../core/verdict.ts'
import { sessionOf } from '../../protocol/session-of.ts'
import { play } from '../../recording/play.ts'
import type { LoggedChange, NewReport, SessionRow, Store } from '../../store/store.ts'
import { movedReport, type Tape } from './tape.ts'

/**
 * A month before the demo, so that its figures have something to tell: the same sessions, slowed
 * down to the pace of a working day, closed, each under an id of its own. Nothing of it is by
 * chance: every demo has the same month.
 */

const DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Seconds of the recording become the better part of an hour, of some more than of others. */
const SLOWED_MIN = 20
const SLOWED_SPREAD = 110

interface Seen {
  readonly t: number
  readonly verdict: Verdict
}

export function writePast(store: Store, tape: Tape, now: number): void {
  const [lives, messages] = [livesOf(tape), messagesIn(tape)]
  const changes: LoggedChange[] = []
  const sessions: SessionRow[] = []
  const reports: NewReport[] = []
  let id = store.lastChangeId()
  const midnight = now - (now % DAY_MS)
  for (let day = DAYS; day >= 0; day -= 1) {
    const weekday = new Date(midnight - day * DAY_MS).getUTCDay()
    lives.forEach((life, n) => {
      if (!isAtIt(weekday, day, n)) return
      const begin = midnight - day * DAY_MS + 7 * HOUR_MS + ((day * 37 + n * 101) % 540) * 60_000
      const name = `past-${day}-${n}`
      const pace = SLOWED_MIN + ((day * 47 + n * 29) % SLOWED_SPREAD)
      const past = life.map(({ t, verdict }) => {
        return slowed(verdict, name, begin + (t - tape.beganAt) * pace)
      })
      const end = (past.at(-1)?.t ?? begin) + 5 * 60_000
      if (end > now) return
      past.push({ t: end, verdict: closed(past.at(-1)?.verdict, end) })
      for (const { t, verdict } of past) {
        id += 1
        changes.push({ id, t, session: name, kind: 'verdict', verdict })
      }
      sessions.push(rowOf(name, begin, end, past.at(-1)?.verdict as Verdict))
      reports.push(...saidAgain(tape, messages, { session: name, begin, end, seed: n + day }))
    })
  }
  store.commit({ reports, changes, sessions, cursors: [], renamed: [] })
  store.insight.leave(now)
}

/** Fewer on weekends, and not every project every day. */
function isAtIt(weekday: number, day: number, n: number): boolean {
  const rest = weekday === 0 || weekday === 6 ? 5 : 2
  return (day * 7 + n * 3) % rest === 0
}

function livesOf({ reports, endedAt }: Tape): readonly (readonly Seen[])[] {
  const lives = new Map<string, Seen[]>()
  for (const { t, verdict } of play(reports, endedAt)) {
    if (verdict.session.startsWith('process:')) continue
    lives.set(verdict.session, [...(lives.get(verdict.session) ?? []), { t, verdict }])
  }
  return [...lives.values()]
}

function slowed(verdict: Verdict, session: string, t: number): Seen {
  const { pane: _, tmux: __, ...details } = verdict.details
  const costUsd = ((verdict.details.cwd?.length ?? 9) * (t % DAY_MS)) / DAY_MS / 20
  return { t, verdict: { ...verdict, session, since: t, details: { ...details, costUsd } } }
}

function closed(last: Verdict | undefined, at: number): Verdict {
  const { for: _, request: __, after: ___, doing: ____, ...rest } = last as Verdict
  const reason = 'the session said goodbye'
  return { ...rest, state: 'closed', how: 'left', rule: 'C2', reason, since: at, unread: false }
}

function rowOf(id: string, firstAt: number, lastAt: number, verdict: Verdict): SessionRow {
  const belongings = { lineage: id, parent: undefined, live: false, asks: [] }
  const { machine: _, ...body } = sessionOf(nothingKnown(UNNAMED_AGENT, id), verdict, {
    machine: '',
    host: 'demo',
    ...belongings,
  })
  const row = { id, host: 'demo', agent: UNNAMED_AGENT, state: 'closed', open: false }
  return { ...row, firstAt, lastAt, parent: undefined, body }
}

interface Message {
  readonly report: Report
  readonly usage: Usage
}

/** Reports that tell tokens, each message once. */
function messagesIn({ reports }: Tape): Message[] {
  const found = new Map<string, Message>()
  for (const report of reports) {
    const usage = agentOf(report.agent)?.usage?.(report)
    if (usage) found.set(usage.message, { report, usage })
  }
  return [...found.values()]
}

const MESSAGES = 6

/** Some of the recording's messages once more, each with an id and an amount of its own. */
function saidAgain(tape: Tape, messages: readonly Message[], past: Past): NewReport[] {
  const { session, begin, end, seed } = past
  return Array.from({ length: MESSAGES }, (_, i) => {
    const { report, usage } = messages[(seed * 7 + i) % messages.length] as Message
    const at = begin + ((end - begin) * (i + 1)) / 8 - (report.t - tape.beganAt)
    const then = movedReport(report, tape, { at, speed: 1, files: '/demo' })
    const [input, output] = [9 + ((seed * 13 + i * 5) % 200), 15 + ((seed * 11 + i * 3) % 75)]
    const told = JSON.stringify(then, (_name, value) => {
      if (value === usage.message) return `${session}-${i}`
      if (value === usage.input) return value * input
      return value === usage.output ? value * output : value
    })
    return { report: JSON.parse(told), session, key: undefined }
  })
}

interface Past {
  readonly session: string
  readonly begin: number
  readonly end: number
  readonly seed: number
}
