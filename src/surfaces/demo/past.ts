import { agentOf, UNNAMED_AGENT } from '../../agents/index.ts'
import type { Usage } from '../../agents/records.ts'
import { nothingKnown } from '../../core/facts.ts'
import type { Report } from '../../core/signal.ts'
import type { Verdict } from '../../core/verdict.ts'
import { sessionOf } from '../../protocol/session-of.ts'
import { play } from '../../recording/play.ts'
import type { LoggedChange, NewReport, SessionRow, Store } from '../../store/store.ts'
import { beatReports, beatsOf, castOf, opened } from './beats.ts'
import type { DemoRole } from './story.ts'

/**
 * The month before the demo, so that its figures are not empty: the same tasks at the pace of a
 * working day, in closed sessions of their own. Nothing is random: every demo has the same month.
 */

const DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A session that has just been closed would still be listed among the played ones. */
const BEFORE_DEMO_MS = 2 * HOUR_MS
/** Minutes become most of an hour, more for some projects than for others. */
const SLOWED_MIN = 4
const SLOWED_SPREAD = 14

interface Seen {
  readonly t: number
  readonly verdict: Verdict
}

export function writePast(store: Store, roles: readonly DemoRole[], now: number): void {
  const tape = tapeOf(roles)
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
      if (end > now - BEFORE_DEMO_MS) return
      past.push({ t: end, verdict: closed(past.at(-1)?.verdict, end) })
      for (const { t, verdict } of past) {
        id += 1
        changes.push({ id, t, session: name, kind: 'verdict', verdict })
      }
      sessions.push(rowOf(name, begin, end, past.at(-1)?.verdict as Verdict))
      reports.push(...saidAgain(messages, { session: name, begin, end, seed: n + day }))
    })
  }
  store.commit({ reports, changes, sessions, cursors: [], renamed: [] })
  store.insight.leave(now)
}

/**
 * Logs what the sessions did before the demo begins. Open requests are left to the player, because
 * their hooks must wait.
 */
export function writeOpening(
  store: Store,
  roles: readonly DemoRole[],
  { now, files }: { readonly now: number; readonly files: string },
): void {
  const [changes, sessions, reports] = [[] as LoggedChange[], [] as SessionRow[], [] as NewReport[]]
  let id = store.lastChangeId()
  for (const [number, role] of roles.entries()) {
    const session = castOf(role, number, files)
    const past = opened(role, now).past.filter(({ beat }) => beat.event.is !== 'request')
    const told = past.flatMap(({ beat, at }) => beatReports(session, role, beat, at))
    const [firstAt, lastAt] = [past[0]?.at ?? now, past.at(-1)?.at ?? now]
    const life = [...play(told, lastAt)].filter(({ verdict }) => verdict.session === session.id)
    for (const { t, verdict } of life) {
      id += 1
      changes.push({ id, t, session: session.id, kind: 'verdict', verdict })
    }
    const last = life.at(-1)?.verdict
    if (last) sessions.push({ ...rowOf(session.id, firstAt, lastAt, last), open: true })
    reports.push(...told.map((report) => ({ report, session: session.id, key: undefined })))
  }
  store.commit({ reports, changes, sessions, cursors: [], renamed: [] })
}

/** Fewer sessions on weekends, and not every project on every day. */
function isAtIt(weekday: number, day: number, n: number): boolean {
  const rest = weekday === 0 || weekday === 6 ? 5 : 2
  return (day * 7 + n * 3) % rest === 0
}

interface Tape {
  readonly reports: readonly Report[]
  readonly beganAt: number
  readonly endedAt: number
}

const TAPE_MS = 5 * 60_000
/** How long an answer took. */
const ANSWERED_MS = 20_000

/** The first minutes of all roles, with each request allowed after a while. */
function tapeOf(roles: readonly DemoRole[]): Tape {
  const beganAt = Date.UTC(2026, 0, 1)
  const endedAt = beganAt + TAPE_MS
  const reports = roles.flatMap((role, number) => {
    const session = castOf(role, number, '/demo')
    const told: Report[] = []
    let at = beganAt
    for (const beat of beatsOf(role)) {
      if (at >= endedAt) break
      told.push(...beatReports(session, role, beat, at))
      at += beat.thenMs ?? ANSWERED_MS
    }
    return told
  })
  return { reports: reports.toSorted((a, b) => a.t - b.t), beganAt, endedAt }
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
  const reason = 'the session ended (logout)'
  return { ...rest, state: 'closed', how: 'left', rule: 'C2', reason, since: at, unread: false }
}

function rowOf(id: string, firstAt: number, lastAt: number, verdict: Verdict): SessionRow {
  const belongings = { lineage: id, parent: undefined, live: false, asks: [] }
  const { machine: _, ...body } = sessionOf(nothingKnown(UNNAMED_AGENT, id), verdict, {
    machine: '',
    host: 'demo',
    ...belongings,
  })
  const row = { id, host: 'demo', agent: UNNAMED_AGENT, state: verdict.state, open: false }
  return { ...row, firstAt, lastAt, parent: undefined, body }
}

interface Message {
  readonly report: Report
  readonly usage: Usage
}

/** Reports with tokens, each message once. */
function messagesIn({ reports }: Tape): Message[] {
  const found = new Map<string, Message>()
  for (const report of reports) {
    const usage = agentOf(report.agent)?.usage?.(report)
    if (usage) found.set(usage.message, { report, usage })
  }
  return [...found.values()]
}

const MESSAGES = 6

/** Repeats some of the messages, each with its own time, id and amount. */
function saidAgain(messages: readonly Message[], past: Past): NewReport[] {
  const { session, begin, end, seed } = past
  return Array.from({ length: MESSAGES }, (_, i) => {
    const { report, usage } = messages[(seed * 7 + i) % messages.length] as Message
    const t = Math.round(begin + ((end - begin) * (i + 1)) / 8)
    const [input, output] = [9 + ((seed * 13 + i * 5) % 200), 15 + ((seed * 11 + i * 3) % 75)]
    const told = JSON.stringify({ ...report, t }, (name, value) => {
      if (name === 'timestamp') return new Date(t).toISOString()
      if (value === usage.message) return `${session}-${i}`
      if (name === 'sessionId') return session
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
