import { agentOf } from '../../agents/index.ts'
import type { Deliveries } from '../../agents/records.ts'
import type { Report } from '../../core/signal.ts'
import { valueAt } from '../../insight/rank.ts'
import type { Tally } from '../../insight/tally.ts'
import type { WalkedChange } from '../../insight/walk.ts'
import type { HookFigures } from '../../protocol/insight.ts'
import type { Session } from '../../protocol/session.ts'
import type { InsightTables, SaidRow } from '../../store/insight.ts'

/** Rows of a page: read in about a millisecond. */
const SAID_PAGE = 500
const USAGE_PAGE = 500
const REPORTS_PAGE = 40

/** SPEC IN10. How many of the newest reports are used to compare hooks with transcripts. */
const COMPARED_MAX = 4_000

const HOUR_MS = 3_600_000

/** Of a session without changes in the period, only these states have something to add. */
const COUNTS_ON: ReadonlySet<string> = new Set(['working', 'background', 'waiting'])

export type FindSession = (id: string) => Session | undefined

/** The project that a session's figures belong to. */
export class ProjectIndex {
  readonly #look: FindSession
  readonly #known = new Map<string, string | null>()

  constructor(look: FindSession) {
    this.#look = look
  }

  of(id: string): string | null {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const project = this.#look(id)?.project ?? null
    this.#known.set(id, project)
    return project
  }
}

/** Adds every session's changes to the tally, one page per step. */
export function* readSessions(
  tables: InsightTables,
  tally: Tally,
  look: FindSession,
  projects: ProjectIndex,
): Generator<void, ReadonlySet<string>> {
  const own = new Set<string>()
  let found = tables.sessionAfter('')
  for (; found; found = tables.sessionAfter(found.session)) {
    yield
    if (found.past) continue
    own.add(found.session)
    yield* readSession(tables, tally, look, projects, found.session)
  }
  return own
}

function* readSession(
  tables: InsightTables,
  tally: Tally,
  look: FindSession,
  projects: ProjectIndex,
  session: string,
): Generator<void> {
  const { from, to } = tally.calendar
  const before = tables.saidBefore(session, from)
  let page = tables.said(session, { t: from, id: -1 }, SAID_PAGE)
  if (page.length === 0 && !COUNTS_ON.has(before?.state ?? '')) return
  const walk = tally.session(session, projects.of(ownerOf(page) ?? session))
  if (before) walk.said(saidOf(before))
  for (let last: SaidRow | undefined; page.length > 0; ) {
    for (const row of page) walk.said(saidOf(row))
    last = page.at(-1)
    if (!last || page.length < SAID_PAGE || last.t >= to) break
    yield
    page = tables.said(session, last, SAID_PAGE)
  }
  const known = look(session)
  walk.end(known?.live ? known.costUsd : null)
}

/** A replaced name belongs to the session that it became. */
function ownerOf(page: readonly SaidRow[]): string | undefined {
  const last = page.at(-1)
  return last?.state === 'gone' ? (last.what ?? undefined) : undefined
}

function saidOf({ t, state, what, since, costUsd }: SaidRow): WalkedChange {
  return { t, state: state as WalkedChange['state'], for: what, since, costUsd }
}

export function* readUsage(
  tables: InsightTables,
  tally: Tally,
  projects: ProjectIndex,
  own: ReadonlySet<string>,
): Generator<void> {
  let after = { t: tally.calendar.from, message: '' }
  for (;;) {
    const page = tables.usage(after, USAGE_PAGE)
    for (const { session, t, message: _, ...tokens } of page)
      if (own.has(session)) tally.used(projects.of(session), t, tokens)
    const last = page.at(-1)
    if (!last || page.length < USAGE_PAGE) return
    after = last
    yield
  }
}

export function* readHooks(
  tables: InsightTables,
  from: number,
  to: number,
): Generator<void, HookFigures> {
  let reports = 0
  let lastAt: number | null = null
  for (let at = from; at < to; at += HOUR_MS) {
    const hour = tables.hooks(at, Math.min(to, at + HOUR_MS))
    reports += hour.count
    lastAt = hour.lastAt ?? lastAt
    yield
  }
  const deliveries = new Map<string, Deliveries>()
  let comparedFrom: number | null = null
  let read = 0
  for (let next = tables.lastReportId() + 1; next > 0 && read < COMPARED_MAX; ) {
    const page = tables.told(next, REPORTS_PAGE)
    next = page.next
    const within = page.reports.filter(({ report }) => report.t >= from && report.t < to)
    // Reports are roughly in order of their times: before the period there are no more.
    if (within.length === 0 && page.reports.some(({ report }) => report.t < from)) break
    for (const { report } of within) {
      read += 1
      comparedFrom = Math.min(comparedFrom ?? report.t, report.t)
      if (report.source === 'hook') deliveriesOf(report, deliveries)?.hook(report)
      else deliveriesOf(report, deliveries)?.transcript(report)
    }
    yield
  }
  return { reports, lastAt, ...compared([...deliveries.values()], to), comparedFrom }
}

/** Each agent's hooks are compared with its own transcripts. */
function deliveriesOf(report: Report, by: Map<string, Deliveries>): Deliveries | undefined {
  const agent = agentOf(report.agent)
  const known = agent && (by.get(agent.id) ?? agent.deliveries?.())
  if (agent && known) by.set(agent.id, known)
  return known
}

function compared(deliveries: readonly Deliveries[], now: number) {
  const ratios = deliveries.flatMap((one) => Object.values(one.ratios(now)))
  const delays = Float64Array.from(deliveries.flatMap((one) => one.delaysMs()))
  return {
    expected: ratios.reduce((sum, { expected }) => sum + expected, 0),
    told: ratios.reduce((sum, { told }) => sum + told, 0),
    medianDelayMs: valueAt(delays, 0.5),
    p99DelayMs: valueAt(delays, 0.99),
  }
}
