import { translate } from '../../agents/index.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { Noted } from '../../insight/pieces.ts'
import { Steps } from '../../insight/steps.ts'
import { timelineOf, timelineStretches } from '../../insight/timeline.ts'
import type { Timeline } from '../../protocol/insight.ts'
import type { InsightTables, SaidRow } from '../../store/insight.ts'

const SAID_PAGE = 500
const REPORTS_PAGE = 20

/** SPEC IN23. Reports read of one session: the busiest has about ten thousand a day. */
const REPORTS_MAX = 20_000
const CHANGES_MAX = 50_000

export interface TimelineWindow {
  readonly from: number | undefined
  readonly to: number
}

/** One session over time, one page per step; undefined when it has no reports. */
export function* readTimeline(
  tables: InsightTables,
  session: string,
  { from: asked, to }: TimelineWindow,
): Generator<void, Timeline> {
  const noted = yield* readNoted(tables, session, asked, to)
  const from = asked ?? noted[0]?.t ?? to
  const { pieces, changes } = timelineStretches(noted, from, to)
  const verdicts = new Map<number, Verdict>()
  for (const change of changes) {
    const verdict = tables.verdict(change)?.verdict
    if (verdict) verdicts.set(change, verdict)
    yield
  }
  const { steps, stepsFrom } = yield* readSteps(tables, session, from, to)
  return timelineOf({ session, from, to, pieces, verdicts, steps, stepsFrom })
}

/** The newest, if there are too many: a session's end matters most. */
function* readNoted(
  tables: InsightTables,
  session: string,
  from: number | undefined,
  to: number,
): Generator<void, readonly Noted[]> {
  const before = from === undefined ? undefined : tables.saidBefore(session, from)
  const noted: Noted[] = before ? [notedOf(before)] : []
  let after = { t: from ?? Number.NEGATIVE_INFINITY, id: -1 }
  for (;;) {
    const page = tables.said(session, after, SAID_PAGE)
    noted.push(...page.map(notedOf))
    if (noted.length > 2 * CHANGES_MAX) noted.splice(0, noted.length - CHANGES_MAX)
    const last = page.at(-1)
    if (!last || page.length < SAID_PAGE || last.t >= to) return noted.slice(-CHANGES_MAX)
    after = last
    yield
  }
}

function notedOf({ id, t, state, what }: SaidRow): Noted {
  return { id, t, state: state as Noted['state'], for: what }
}

function* readSteps(tables: InsightTables, session: string, from: number, to: number) {
  const steps = new Steps()
  let read = 0
  let oldest = to
  for (let next = Number.MAX_SAFE_INTEGER; next > 0; ) {
    const page = tables.toldOf(session, next, REPORTS_PAGE)
    next = page.next
    for (const { report } of page.reports) {
      if (report.t > to) continue
      read += 1
      oldest = Math.min(oldest, report.t)
      for (const signal of translate(report)) steps.take(signal)
    }
    if (oldest < from - EARLIER_MS) break
    if (read >= REPORTS_MAX) return { steps, stepsFrom: oldest }
    yield
  }
  return { steps, stepsFrom: null }
}

/** A tool that began before the period may still run in it; few run for longer. */
const EARLIER_MS = 1_800_000
