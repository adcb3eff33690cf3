import { agentOf, translate } from '../agents/index.ts'
import { FRESH_MAX_MS, SESSIONS_MAX } from '../core/limits.ts'
import type { Report } from '../core/signal.ts'
import { Tracker } from '../core/tracker.ts'
import type { Settings } from '../home/settings.ts'
import type { ListingOptions } from '../protocol/parameters.ts'
import type { Explanation, HistoryEntry, Listing, Session } from '../protocol/session.ts'
import { sessionOf } from '../protocol/session-of.ts'
import type { Sink } from '../sources/arrival.ts'
import type { LoggedReport, ReportFilter, SessionRow, Store } from '../store/store.ts'
import { explanationOf } from './explain.ts'
import { ChangeFeed } from './feed.ts'
import { importRecording } from './import.ts'
import { Intake } from './intake.ts'
import { Listeners } from './listeners.ts'
import { NewSessionLimit } from './new-session-limit.ts'
import { loggedSession, sessionRowOf } from './row.ts'
import { SessionNames } from './session-names.ts'
import { ListedSessions, NO_OTHER_ROWS, type OtherRows } from './stream/listed-sessions.ts'
import { ToolTimes } from './tool-times.ts'

export interface EngineOptions {
  readonly store: Store
  readonly machine: string
  readonly host: string
  readonly now: () => number
  readonly onTrouble: (error: Error | undefined) => void
  /** Ids of the requests of a session that can be answered through vigil. */
  readonly asksOf?: (id: string) => readonly string[]
  /** Sessions of other machines, which are listed beside those of this one. */
  readonly remote?: OtherRows
}

/** The sessions of this machine: reports in, verdicts out, everything in the log. */
export class Engine {
  readonly machine: string
  readonly host: string
  readonly tracker = new Tracker(translate)
  readonly feed: ChangeFeed
  readonly intake: Intake
  readonly list: ListedSessions
  /** Other machines of the fleet have changed. */
  readonly machines = new Listeners<void>()
  readonly #store: Store
  readonly #now: () => number
  readonly #asksOf: (id: string) => readonly string[]
  readonly #newSessions: NewSessionLimit
  readonly #names: SessionNames
  readonly #toolTimes = new ToolTimes()

  constructor(options: EngineOptions) {
    const { store, machine, host, now, onTrouble } = options
    this.#store = store
    this.machine = machine
    this.host = host
    this.#now = now
    this.#asksOf = options.asksOf ?? (() => [])
    this.feed = new ChangeFeed(store, now())
    this.#names = new SessionNames((id) => this.#isOpen(id))
    const live = (id: string) => this.#live(id)
    const { remote = NO_OTHER_ROWS } = options
    this.list = new ListedSessions({ tracker: this.tracker, live, now, remote })
    this.#newSessions = new NewSessionLimit(() => this.#openCount(), now)
    this.intake = new Intake({
      tracker: this.tracker,
      feed: this.feed,
      log: store,
      rowsOf: (ids) => this.#rowsOf(ids),
      now,
      onTrouble,
    })
    this.touched.add((ids) => this.list.changes.touch(ids))
  }

  /** Sessions that a report was about, also where no verdict changed. */
  get touched(): Listeners<ReadonlySet<string>> {
    return this.intake.touched
  }

  get take(): Sink {
    return this.intake.take
  }

  /**
   * Replays the sessions that were open when the log was last written. Learnt in order and judged
   * once: what changed while no daemon ran is a change of now.
   */
  replay(onProgress: (done: number, of: number) => void = () => {}): number {
    let replayed = 0
    const open = this.#store.sessions({ open: true })
    // SPEC LI4. The most recent ones; more would be forgotten again at once.
    const newest = open.slice(0, SESSIONS_MAX)
    if (newest.length < open.length)
      this.#store.markClosed(open.slice(SESSIONS_MAX).map(({ id }) => id))
    onProgress(0, newest.length)
    for (const { id, parent, body } of newest) {
      this.#names.remember(id, this.#logged(body).name)
      if (parent !== undefined) this.tracker.sessions.lineages.link(id, parent)
      for (const { verdict } of this.#store.history(id, 1)) this.tracker.remember(verdict)
    }
    const begun = new Set<string>()
    for (const { report, session } of this.#store.openReports()) {
      this.tracker.learn(report)
      replayed += 1
      if (session !== undefined) begun.add(session)
      if (replayed % PROGRESS_REPORTS === 0) onProgress(begun.size, newest.length)
    }
    this.tracker.takeGone()
    this.intake.judge([...this.tracker.sessions.ids()])
    const closed = this.#store.closedSince(this.#now() - FRESH_MAX_MS)
    this.list.start(closed.map(({ body }) => this.#logged(body)))
    return replayed
  }

  /** SPEC A7. Which ends of talk notify, from now on; known sessions are judged again. */
  setAttention({ longTalk, questions }: Settings['attention']): void {
    const longTalkMs = longTalk > 0 ? longTalk * 1_000 : undefined
    this.tracker.attention = { longTalkMs, questions }
    this.intake.judge([...this.tracker.sessions.ids()])
  }

  sessions({ all }: ListingOptions): Listing {
    this.intake.flush()
    const seq = this.feed.lastId()
    const ids = this.list.ids()
    const sessions = [...ids].flatMap((id) => (all ? this.list.known(id) : this.list.row(id)) ?? [])
    const others = all ? this.#allLogged().filter(({ id }) => !ids.has(id)) : []
    return { seq, now: this.#now(), sessions: [...sessions, ...others] }
  }

  session(id: string): Session | undefined {
    this.intake.flush()
    return this.look(id)
  }

  /** The present state, without waiting for reports that are not learnt yet. */
  look(id: string): Session | undefined {
    return this.#live(id) ?? this.#shown(id)
  }

  explain(id: string): Explanation | undefined {
    const session = this.session(id)
    if (!session) return undefined
    const facts = this.tracker.sessions.facts(id)
    return explanationOf(session, facts, this.#now(), this.history(id, HISTORY_SHOWN))
  }

  history(id: string, limit: number): readonly HistoryEntry[] {
    return this.#store
      .history(id, limit)
      .map(({ id: change, t, verdict }) => ({ id: change, t, verdict }))
  }

  reports(filter: ReportFilter): readonly LoggedReport[] {
    return this.#store.reports(filter)
  }

  /** SPEC LI3. Whether a posted report may start an unknown session. */
  admits(report: Report): boolean {
    const [signal] = translate(report)
    const id = signal?.about.session
    return id === undefined || this.look(id) !== undefined || this.#newSessions.admit()
  }

  post(report: Report, key?: string): Promise<{ readonly session: string | undefined }> {
    return new Promise((resolve) => {
      // SPEC BR1. No key that a sender chooses can equal a spool file's.
      const arrival = key === undefined ? { report } : { report, key: `posted:${key}` }
      this.take([arrival], () => resolve({ session: this.#aboutWhom(report) }))
    })
  }

  import(name: string, lines: readonly Report[]): { readonly sessions: readonly string[] } {
    return {
      sessions: importRecording(this.#store, this.feed, { name, lines, machine: this.machine }),
    }
  }

  stop(): void {
    this.intake.stop()
    this.list.changes.close()
  }

  #openCount(): number {
    let open = 0
    for (const id of this.tracker.sessions.ids()) if (this.#isOpen(id)) open += 1
    return open
  }

  #isOpen(id: string): boolean {
    const verdict = this.tracker.verdict(id)
    return verdict !== undefined && verdict.state !== 'closed'
  }

  #aboutWhom(report: Report): string | undefined {
    const [signal] = translate(report)
    if (!signal) return undefined
    const { agent, session, pid, pane } = signal.about
    const where = this.tracker.sessions.where(agent)
    return session ?? where.ofPid(pid)?.session ?? where.ofPane(pane)?.session
  }

  #live(id: string): Session | undefined {
    const facts = this.tracker.sessions.facts(id)
    const verdict = this.tracker.verdict(id)
    if (!facts || !verdict) return undefined
    const { lineages } = this.tracker.sessions
    return sessionOf(facts, verdict, {
      machine: this.machine,
      host: this.host,
      lineage: lineages.rootOf(id),
      parent: lineages.parentOf(id),
      asks: this.#asksOf(id),
      live: true,
      usualMs: this.#toolTimes.usualMs(facts, verdict.doing),
      resume: agentOf(facts.agent)?.resume?.(id),
      nameFor: (base) => this.#names.of(id, base),
    })
  }

  #allLogged(): readonly Session[] {
    return this.#store.sessions({}).map(({ body }) => this.#logged(body))
  }

  #logged(body: unknown): Session {
    return loggedSession(body, this.machine)
  }

  #shown(id: string): Session | undefined {
    const row = this.#store.session(id)
    return row && this.#logged(row.body)
  }

  #rowsOf(ids: Iterable<string>): readonly SessionRow[] {
    const now = this.#now()
    return [...ids].flatMap((id) => {
      const session = this.#live(id)
      return session ? [sessionRowOf(session, now)] : []
    })
  }
}

/** Reports between two progress messages of a replay: some tenths of a second. */
const PROGRESS_REPORTS = 2_000

/** As many changes as a person reads at a glance. */
const HISTORY_SHOWN = 10
