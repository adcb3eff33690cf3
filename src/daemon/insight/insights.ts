import type { Zone } from '../../insight/calendar.ts'
import { Tally } from '../../insight/tally.ts'
import type { Period } from '../../protocol/constants.ts'
import type { HookFigures, Insight, Timeline } from '../../protocol/insight.ts'
import type { InsightTables } from '../../store/insight.ts'
import { type FindSession, ProjectIndex, readHooks, readSessions, readUsage } from './read.ts'
import { inSlices } from './slices.ts'
import { readTimeline, type TimelineWindow } from './timeline.ts'

interface Parts {
  readonly tables: InsightTables
  readonly look: FindSession
  readonly now: () => number
}

/** Two pages that ask for the same within this time get the same; the difference is not visible. */
const KEPT_MS = 2_000

/**
 * Slow results are cached for longer, by this factor of their time: pages that repeatedly ask for a
 * month of a busy machine cost the daemon at most a twentieth of its time.
 */
const KEPT_TIMES = 20

interface Kept {
  until: number
  readonly insight: Promise<Insight>
}

/** What was, in figures and over time. */
export class Insights {
  readonly #parts: Parts
  readonly #kept = new Map<string, Kept>()
  /** One read at a time: many simultaneous callers must not block the daemon many times over. */
  readonly #figures = new Turns()
  readonly #timelines = new Turns()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  of(period: Period, zone: Zone): Promise<Insight> {
    const now = this.#parts.now()
    for (const [key, { until }] of this.#kept) if (now > until) this.#kept.delete(key)
    const key = `${period} ${zone.name}`
    const known = this.#kept.get(key)
    if (known) return known.insight
    const kept: Kept = {
      until: Number.POSITIVE_INFINITY,
      insight: this.#figures.take(() => this.#read(period, zone, this.#parts.now())),
    }
    this.#kept.set(key, kept)
    const done = () => {
      const tookMs = this.#parts.now() - now
      kept.until = this.#parts.now() + Math.max(KEPT_MS, KEPT_TIMES * tookMs)
    }
    kept.insight.then(done, () => this.#kept.delete(key))
    return kept.insight
  }

  timeline(session: string, stretch: TimelineWindow): Promise<Timeline> {
    const { tables } = this.#parts
    return this.#timelines.take(() => resultOf(readTimeline(tables, session, stretch)))
  }

  async #read(period: Period, zone: Zone, now: number): Promise<Insight> {
    const { tables, look } = this.#parts
    const from = zone.beginOf(period, now)
    // An open wait may have begun long before the period.
    const tally = new Tally({ period, zone, now, absences: tables.absences(0) })
    const projects = new ProjectIndex(look)
    function* work(): Generator<void, HookFigures> {
      const own = yield* readSessions(tables, tally, look, projects)
      yield* readUsage(tables, tally, projects, own)
      return yield* readHooks(tables, from, now)
    }
    return tally.insight(await resultOf(work()))
  }
}

/** Runs one after the other; a failure does not block the next. */
class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

async function resultOf<T>(work: Generator<void, T>): Promise<T> {
  let result: T | undefined
  function* kept() {
    result = yield* work
  }
  await inSlices(kept())
  return result as T
}
