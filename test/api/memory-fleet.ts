import { translateClaude } from '../../src/agents/claude/translate.ts'
import { judge } from '../../src/core/judge.ts'
import { nextLook } from '../../src/core/next-look.ts'
import type { Report } from '../../src/core/signal.ts'
import { type Change, Tracker } from '../../src/core/tracker.ts'
import type { DaemonApi, Feed, Fleet, SessionList } from '../../src/daemon/daemon-api.ts'
import { LocalPanes } from '../../src/daemon/panes/panes.ts'
import { RowChanges } from '../../src/daemon/stream/row-changes.ts'
import { AdminPolicy } from '../../src/home/policy.ts'
import type { Health } from '../../src/protocol/daemon.ts'
import type { ListingOptions } from '../../src/protocol/parameters.ts'
import type { Explanation, HistoryEntry, Listing, Session } from '../../src/protocol/session.ts'
import { sessionOf } from '../../src/protocol/session-of.ts'
import type { Spooled } from '../../src/sources/arrival.ts'
import type { LoggedChange, LoggedReport, ReportFilter } from '../../src/store/store.ts'
import { insightsInMemory } from '../support/insights.ts'
import { keptInMemory } from '../support/loops.ts'
import { OWN_MACHINE } from '../support/machines.ts'
import { noFleet } from '../support/no-fleet.ts'
import { requestsInMemory } from '../support/requests.ts'
import { spooledAs } from '../support/spooled.ts'

/** A fleet whose log is a list: real reports through the real core, real verdicts out. */
export class MemoryApi implements DaemonApi {
  readonly machine: string = OWN_MACHINE
  readonly host = 'test'
  readonly feed = new MemoryFeed()
  readonly stops: string[] = []
  readonly imported: string[] = []
  readonly log: LoggedReport[] = []
  /** What the disk would say; none while it works. */
  failure: Error | undefined
  readonly #tracker = new Tracker(translateClaude)
  readonly #seen = new Set<string>()
  readonly #forgotten = new Set<string>()
  #now = 0
  /** What is wrong, as the stream tells it. */
  troubles: string[] = []
  readonly machineListeners = new Set<() => void>()
  readonly changes = new RowChanges({
    isListed: (id) => this.session(id) !== undefined,
    leavesAt: () => undefined,
    now: () => this.#now,
  })
  readonly list: SessionList = {
    changes: this.changes,
    ids: () => this.#tracker.sessions.ids(),
    row: (id) => this.session(id),
    machine: () => ({
      id: this.machine,
      name: this.host,
      version: '0.0.0',
      own: true,
      online: true,
      lastHeardAt: null,
      clockOffsetMs: 0,
      troubles: this.troubles,
    }),
    machines: () => [this.list.machine()],
    onMachine: (listener) => {
      this.machineListeners.add(listener)
      return () => this.machineListeners.delete(listener)
    },
    now: () => this.#now,
  }
  readonly loops = keptInMemory({
    tracker: this.#tracker,
    now: () => this.#now,
    session: (id) => this.session(id),
    publish: (report) => void this.#take(report),
    type: async () => 'the session is not in tmux',
  }).loops
  readonly asking = requestsInMemory({ tracker: this.#tracker, now: () => this.#now })
  readonly requests = this.asking.requests
  readonly forgetAsks = this.requests.onAsks((session) => this.changes.touch([session]))
  readonly insights = insightsInMemory({
    reports: () => this.log,
    changes: () => this.feed.changes,
    look: (id) => this.session(id),
    now: () => this.#now,
  })
  readonly acts = this.asking.acts
  fleet: Fleet = noFleet()
  readonly panes = new LocalPanes({
    session: (id) => this.session(id),
    acts: this.acts,
    now: () => this.#now,
    complain: () => {},
  })

  get now(): number {
    return this.#now
  }

  /** As the spool hands it over; its key is its name and the report's place in the log. */
  spooled(report: Report, name: string): void {
    this.#take(report, `${name}@${this.log.length + 1}`, spooledAs(name))
  }

  play(reports: readonly Report[]): this {
    for (const report of reports) this.#take(report)
    return this
  }

  sessions(_: ListingOptions): Listing {
    const sessions = [...this.list.ids()].flatMap((id) => this.session(id) ?? [])
    return { seq: this.feed.lastId(), now: this.#now, sessions }
  }

  session(id: string): Session | undefined {
    if (this.#forgotten.has(id)) return undefined
    const facts = this.#tracker.sessions.facts(id)
    if (!facts) return undefined
    const { lineages } = this.#tracker.sessions
    return sessionOf(facts, judge(facts, this.#now), {
      machine: this.machine,
      host: this.host,
      lineage: lineages.rootOf(id),
      parent: lineages.parentOf(id),
      asks: this.requests.asksOf(id),
      live: true,
    })
  }

  /** It is not known any more. */
  forget(id: string): void {
    this.#forgotten.add(id)
    this.changes.touch([id])
  }

  explain(id: string): Explanation | undefined {
    const session = this.session(id)
    const facts = this.#tracker.sessions.facts(id)
    if (!session || !facts) return undefined
    return {
      session,
      grounds: judge(facts, this.#now).grounds,
      wouldChange: ['a prompt'],
      nextLook: nextLook(facts, this.#now) ?? null,
      heard: { hook: this.#now },
      history: this.history(id, 10),
    }
  }

  history(id: string, limit: number): readonly HistoryEntry[] {
    return this.feed.changes
      .flatMap((change) =>
        change.kind !== 'gone' && change.session === id
          ? [{ id: change.id, t: change.t, verdict: change.verdict }]
          : [],
      )
      .toReversed()
      .slice(0, limit)
  }

  reports({ session, source, after = 0, limit = 100 }: ReportFilter): readonly LoggedReport[] {
    return this.log
      .filter((entry) => entry.id > after && (session ?? entry.session) === entry.session)
      .filter(({ report }) => (source ?? report.source) === report.source)
      .slice(0, limit)
  }

  admits(): boolean {
    return true
  }

  async post(report: Report, key?: string): Promise<{ session: string | undefined }> {
    await Promise.resolve()
    if (this.failure) throw this.failure
    if (key !== undefined && this.#seen.has(key)) return { session: undefined }
    if (key !== undefined) this.#seen.add(key)
    return { session: this.#take(report, key) }
  }

  import(name: string, lines: readonly Report[]): { sessions: readonly string[] } {
    this.imported.push(name)
    const tracker = new Tracker(translateClaude)
    for (const line of lines) tracker.take(line)
    return { sessions: [...tracker.sessions.ids()].map((id) => `${name}/${id}`) }
  }

  health(): Health {
    return {
      version: '0.0.0',
      pid: process.pid,
      machine: this.machine,
      host: this.host,
      startedAt: 0,
      now: this.#now,
      sessions: [...this.#tracker.sessions.ids()].length,
      subscribers: 0,
      durable: this.failure === undefined,
      troubles: [],
      address: null,
      policy: new AdminPolicy().view,
      store: { path: ':memory:', bytes: 0, reports: this.log.length, changes: 0, oldestAt: null },
      sources: { hook: { reports: this.log.length, lastAt: this.#now } },
      agents: {},
      refused: {},
    }
  }

  metrics(): string {
    return `# TYPE vigil_reports_total counter\nvigil_reports_total ${this.log.length}\n`
  }

  stop(why: string): void {
    this.stops.push(why)
  }

  #take(report: Report, key?: string, spooled?: Spooled): string | undefined {
    this.#now = Math.max(this.#now, report.t)
    const earlier = this.#tracker.runTo(report.t)
    const touched = this.#tracker.learn(report)
    const changes = [...earlier, ...this.#tracker.judge(touched, this.#now)]
    const session = changes[0]?.verdict.session
    this.log.push({ id: this.log.length + 1, session, key, report })
    this.requests.onReport({ report, ...(key && { key }), ...(spooled && { spooled }) })
    this.requests.onSessionsChanged(new Set(this.#tracker.sessions.ids()))
    this.changes.touch([...touched, ...earlier.map(({ verdict }) => verdict.session)])
    this.feed.publish(changes)
    return session
  }
}

export class MemoryFeed implements Feed {
  changes: LoggedChange[] = []
  readonly listeners = new Set<() => void>()
  /** How often and how much was read, to check that no reader takes more than it can pass on. */
  taken = 0
  #lastId = 0

  firstId(): number {
    return this.changes[0]?.id ?? 0
  }

  lastId(): number {
    return this.#lastId
  }

  after(id: number, limit: number): readonly LoggedChange[] {
    const from = this.changes.findIndex((change) => change.id > id)
    const found = from === -1 ? [] : this.changes.slice(from, from + limit)
    this.taken += found.length
    return found
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  publish(changes: readonly Change[]): void {
    for (const { t, verdict } of changes)
      this.add({ kind: 'verdict', t, session: verdict.session, verdict })
  }

  /** Any change, as the log would keep it. */
  add(change: DistributiveOmit<LoggedChange, 'id'>): void {
    this.#lastId += 1
    this.changes.push({ ...change, id: this.#lastId } as LoggedChange)
    for (const listener of [...this.listeners]) listener()
  }

  /** Retention: the oldest go. */
  forget(count: number): void {
    this.changes = this.changes.slice(count)
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
