import type { Period } from '../protocol/constants.ts'
import type {
  DayFigures,
  HookFigures,
  HourFigures,
  Insight,
  ProjectFigures,
  Tokens,
} from '../protocol/insight.ts'
import { lengthOf, merged, type TimeRange, watchedParts } from './absences.ts'
import { Calendar, type Zone } from './calendar.ts'
import { Spread } from './spread.ts'
import { Durations, FigureSum, Longest } from './sums.ts'
import { type Ledger, Walk } from './walk.ts'

export interface InsightRequest {
  readonly period: Period
  readonly zone: Zone
  /** The end of the period. */
  readonly now: number
  /** Times when vigil did not watch. */
  readonly absences: readonly TimeRange[]
}

/** More than fit a page; a machine with more is an exception. */
const PROJECTS_MAX = 50

/** Sums the changes of sessions, one session after the other. */
export class Tally implements Ledger {
  readonly calendar: Calendar
  readonly #asked: InsightRequest
  readonly #absences: readonly TimeRange[]
  readonly #worked: Spread
  readonly #waited: Spread
  readonly #total = new FigureSum()
  readonly #projects = new Map<string | null, FigureSum>()
  readonly #days: readonly FigureSum[]
  readonly durations = new Durations()
  readonly longest = new Longest()

  constructor(asked: InsightRequest) {
    this.#asked = asked
    const { zone, period, now } = asked
    this.calendar = new Calendar(zone, zone.beginOf(period, now), now)
    this.#absences = merged(asked.absences)
    this.#worked = new Spread(this.calendar)
    this.#waited = new Spread(this.calendar)
    this.#days = this.calendar.days.map(() => new FigureSum())
  }

  /** Takes the session's changes in order, from the last one before the period on. */
  session(id: string, project: string | null): Walk {
    return new Walk(this, id, project)
  }

  /** SPEC IN8. Tokens of one message. */
  used(project: string | null, t: number, tokens: Tokens): void {
    if (!this.isWithin(t)) return
    for (const sum of this.#sumsAt(project, t)) sum.use(tokens)
  }

  isWithin(t: number): boolean {
    return t >= this.calendar.from && t < this.calendar.to
  }

  /** SPEC IN2, IN3. Time worked or waited, as far as it is in the period. */
  passed(kind: 'worked' | 'waited', project: string | null, from: number, to: number): number {
    const begin = Math.max(from, this.calendar.from)
    const end = Math.min(to, this.calendar.to)
    let passedMs = 0
    for (const part of begin < end ? this.watched(begin, end) : []) {
      const spread = kind === 'worked' ? this.#worked : this.#waited
      spread.add(part.from, part.to)
      passedMs += part.to - part.from
    }
    for (const sum of [this.#total, this.#of(project)]) sum[`${kind}Ms`] += passedMs
    return passedMs
  }

  /** The parts of an interval in which vigil watched. */
  watched(from: number, to: number): readonly TimeRange[] {
    return watchedParts(this.#absences, from, to)
  }

  spent(project: string | null, t: number, usd: number): void {
    for (const sum of this.#sumsAt(project, t)) sum.spend(usd)
  }

  count(what: 'turns' | 'sessions', project: string | null): void {
    for (const sum of [this.#total, this.#of(project)]) sum[what] += 1
  }

  insight(hooks: HookFigures): Insight {
    const { period, zone } = this.#asked
    const { from, to } = this.calendar
    const projects = this.#byProject()
    return {
      period,
      zone: zone.name,
      from,
      to,
      totals: this.#total.figures(),
      byProject: projects.slice(0, PROJECTS_MAX),
      projectsLeftOut: Math.max(0, projects.length - PROJECTS_MAX),
      byHour: this.#byHour(),
      byDay: this.#byDay(),
      answers: this.durations.answers(),
      longestWaits: this.longest.list(),
      unwatchedMs: to - from - lengthOf(from < to ? this.watched(from, to) : []),
      hooks,
    }
  }

  #byProject(): ProjectFigures[] {
    return [...this.#projects]
      .map(([project, sum]) => ({ project, ...sum.figures() }))
      .filter(isSomething)
      .toSorted((a, b) => busyMs(b) - busyMs(a) || ((a.project ?? '') < (b.project ?? '') ? -1 : 1))
  }

  #byHour(): HourFigures[] {
    const worked = this.#worked.by(this.calendar.hours, 24)
    const waited = this.#waited.by(this.calendar.hours, 24)
    return Array.from(worked, (workedMs, hour) => ({ hour, workedMs, waitedMs: waited[hour] ?? 0 }))
  }

  #byDay(): DayFigures[] {
    const { days, dayIndexes } = this.calendar
    const worked = this.#worked.by(dayIndexes, days.length)
    const waited = this.#waited.by(dayIndexes, days.length)
    return days.map((day, i) => ({
      day,
      workedMs: worked[i] ?? 0,
      waitedMs: waited[i] ?? 0,
      costUsd: this.#days[i]?.costUsd ?? null,
      tokens: this.#days[i]?.tokens ?? null,
    }))
  }

  #of(project: string | null): FigureSum {
    const known = this.#projects.get(project)
    if (known) return known
    const sum = new FigureSum()
    this.#projects.set(project, sum)
    return sum
  }

  #sumsAt(project: string | null, t: number): readonly FigureSum[] {
    const day = this.#days[this.calendar.dayIndexes[this.calendar.quarterOf(t)] ?? -1]
    return [this.#total, this.#of(project), ...(day ? [day] : [])]
  }
}

function busyMs({ workedMs, waitedMs }: ProjectFigures): number {
  return workedMs + waitedMs
}

/** A project whose sessions only idled has nothing to show. */
function isSomething({ sessions, turns, costUsd, tokens }: ProjectFigures): boolean {
  return sessions + turns > 0 || costUsd !== null || tokens !== null
}
