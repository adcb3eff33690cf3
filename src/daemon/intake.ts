import type { Report } from '../core/signal.ts'
import { type Change, isOfAll, type Tracker } from '../core/tracker.ts'
import { timerMs } from '../home/timer.ts'
import type { Arrival, Sink } from '../sources/arrival.ts'
import type { Commit, SessionRow } from '../store/store.ts'
import type { ChangeFeed } from './feed.ts'
import { Listeners } from './listeners.ts'
import { countReport, type ReportCounts } from './metrics.ts'
import { trim } from './trim.ts'
import { isNothing, nothingUnsaved, type Unsaved } from './unsaved.ts'

/** How long to wait after a failed write to the store. */
const RETRY_MS = 1_000
/**
 * Reports held in memory while the log cannot be written. Hooks beyond their own limit wait in the
 * spool, other sources can be read again: nothing irrecoverable is dropped.
 */
const UNSAVED_MAX = 50_000

export interface IntakeParts {
  readonly tracker: Tracker
  readonly feed: ChangeFeed
  readonly log: { commit(commit: Commit): void; known(keys: readonly string[]): Set<string> }
  readonly rowsOf: (ids: Iterable<string>) => readonly SessionRow[]
  readonly now: () => number
  readonly onTrouble: (error: Error | undefined) => void
}

interface Waiting {
  readonly arrivals: readonly Arrival[]
  readonly saved: (() => void) | undefined
  readonly learnt: (() => void) | undefined
}

/**
 * Where reports become facts. All reports of one turn of the event loop are learnt and committed
 * together: reports, changes and sessions in one transaction. Only then are listeners notified, and
 * only then may a source discard what it delivered.
 */
export class Intake {
  /** Before time passes for any session; a listener that finds a changed clock reports it. */
  readonly clockNeeded = new Listeners<void>()
  /** Every report once it was learnt, in full: the stored copy may be cut. */
  readonly learnt = new Listeners<Arrival>()
  /** After each batch, even if the commit failed: the sessions whose facts have changed. */
  readonly touched = new Listeners<ReadonlySet<string>>()
  readonly #parts: IntakeParts
  #queue: Waiting[] = []
  #unsaved: Unsaved = nothingUnsaved()
  #clock: Report | undefined
  #scheduled = false
  #flushing = false
  #lookTimer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #toldId: number
  #troubled: string | undefined
  readonly counts: ReportCounts = new Map()
  changes = 0
  commits = 0
  commitMs = 0

  constructor(parts: IntakeParts) {
    this.#parts = parts
    this.#toldId = parts.feed.lastId()
  }

  get durable(): boolean {
    return this.#retryTimer === undefined
  }

  get waiting(): number {
    return this.#queue.reduce((sum, { arrivals }) => sum + arrivals.length, 0)
  }

  readonly take: Sink = (arrivals, saved, learnt) => {
    this.#queue.push({ arrivals, saved, learnt })
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.flush())
  }

  /** The machine slept or its clock was set: learnt before anything else. */
  clockChanged(report: Report): void {
    this.#clock = report
    this.take([])
  }

  /** A listener of a commit may call this while that commit is still in progress. */
  flush(): void {
    if (this.#flushing) return
    this.#flushing = true
    try {
      this.#learnAll()
    } finally {
      this.#flushing = false
    }
  }

  /** Learns and commits everything that waits, and what time alone has changed. */
  #learnAll(): void {
    this.#scheduled = false
    const touched = new Set<string>()
    // Before time passes for any session: a clock set forward is no silence.
    this.clockNeeded.emit()
    const clock = this.#clock
    this.#clock = undefined
    if (clock) this.#learn({ report: clock }, new Set(), touched)
    this.#note(this.#parts.tracker.runTo(this.#parts.now()), touched)
    const queue = this.#queue.splice(0)
    const known = this.#known(queue)
    for (const { arrivals, saved } of queue) {
      for (const arrival of arrivals) this.#learn(arrival, known, touched)
      if (saved) this.#unsaved.saved.push(saved)
    }
    if (this.#retryTimer === undefined) this.#commit()
    else this.#emit()
    for (const { learnt } of queue) learnt?.()
    if (touched.size > 0) this.touched.emit(touched)
    this.#keepAppointment()
  }

  /** Judges again, as after start-up. */
  judge(ids: Iterable<string>): void {
    const touched = new Set<string>(ids)
    this.#note(this.#parts.tracker.judge(touched, this.#parts.now()), touched)
    for (const id of touched) this.#unsaved.touched.add(id)
    this.flush()
  }

  /** What cannot be written by then stays with its source. */
  stop(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    this.flush()
    clearTimeout(this.#lookTimer)
    clearTimeout(this.#retryTimer)
  }

  #known(queue: readonly Waiting[]): Set<string> {
    const keys = queue.flatMap(({ arrivals }) => arrivals.flatMap(({ key }) => key ?? []))
    const known = new Set(this.#unsaved.keys)
    if (keys.length === 0) return known
    try {
      for (const key of this.#parts.log.known(keys)) known.add(key)
    } catch (error) {
      // A log that cannot be read: the commit reads it again (SPEC D2), and fails as well.
      this.#trouble(error as Error)
    }
    return known
  }

  #learn(arrival: Arrival, known: Set<string>, touched: Set<string>): void {
    const { key, cursor } = arrival
    if (key !== undefined) {
      if (known.has(key)) return
      known.add(key)
      this.#unsaved.keys.add(key)
    }
    const report = trim(arrival.report)
    const ids = this.#parts.tracker.learn(report)
    // Entries logged under a name are forgotten with it.
    const [session] = isOfAll(report) ? [] : ids
    // A key means that its source waits for the commit: such a report is never dropped.
    if (key !== undefined || this.#unsaved.reports.length < UNSAVED_MAX) {
      this.#unsaved.reports.push({ report, session, key })
      if (cursor) this.#unsaved.cursors.set(cursor.path, cursor)
    }
    countReport(this.counts, report)
    // A report that waited in the spool counts from when it was written, not from when it was
    // found; but a verdict counts from when it is given.
    this.#note(this.#parts.tracker.judge(ids, this.#parts.now()), touched)
    for (const id of ids) touched.add(id)
    if (ids.size > 0) this.#noteGone(touched)
    this.learnt.emit(arrival)
  }

  #note(changes: readonly Change[], touched: Set<string>): void {
    for (const { t, verdict } of changes) {
      const { session } = verdict
      touched.add(session)
      this.#unsaved.touched.add(session)
      const id = this.#parts.feed.nextId()
      this.#unsaved.changes.push({ id, t, session, kind: 'verdict', verdict })
      this.changes += 1
    }
  }

  #noteGone(touched: Set<string>): void {
    for (const { id: session, became } of this.#parts.tracker.takeGone()) {
      const id = this.#parts.feed.nextId()
      this.#unsaved.changes.push({ id, t: this.#parts.now(), session, kind: 'gone', became })
      this.#unsaved.touched.delete(session)
      touched.add(session)
      if (became === undefined) continue
      this.#unsaved.renamed.push({ from: session, to: became })
      this.#unsaved.touched.add(became)
    }
  }

  #commit(): void {
    const unsaved = this.#unsaved
    if (isNothing(unsaved)) return
    const { reports, changes, renamed } = unsaved
    const sessions = this.#parts.rowsOf(unsaved.touched)
    const cursors = [...unsaved.cursors.values()]
    const begun = performance.now()
    try {
      this.#parts.log.commit({ reports, changes, sessions, cursors, renamed })
    } catch (error) {
      this.#postpone(error as Error)
      return
    }
    this.commits += 1
    this.commitMs += performance.now() - begun
    this.#emit()
    this.#unsaved = nothingUnsaved()
    this.#trouble(undefined)
    for (const saved of unsaved.saved) saved()
  }

  /** The present state stays correct; it is published, though it would not outlive the daemon. */
  #postpone(error: Error): void {
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined
      this.flush()
    }, RETRY_MS)
    this.#trouble(error)
    this.#emit()
  }

  #trouble(error: Error | undefined): void {
    if (error?.message === this.#troubled) return
    this.#troubled = error?.message
    this.#parts.onTrouble(error)
  }

  #emit(): void {
    const news = this.#unsaved.changes.filter(({ id }) => id > this.#toldId)
    this.#toldId = this.#parts.feed.lastId()
    this.#parts.feed.publish(news)
  }

  #keepAppointment(): void {
    clearTimeout(this.#lookTimer)
    const at = this.#parts.tracker.nextLookAt()
    if (at === undefined) return
    const waitMs = timerMs(at - this.#parts.now() + 1)
    this.#lookTimer = setTimeout(() => this.flush(), waitMs).unref()
  }
}
