import { AGENTS } from '../agents/index.ts'
import { statusSource } from '../core/rules/still.ts'
import type { Report, Source } from '../core/signal.ts'
import type { RemoteMachine } from '../fleet/remote-shapes.ts'
import { AdminPolicy } from '../home/policy.ts'
import { ownVersion } from '../home/version.ts'
import type { Health } from '../protocol/daemon.ts'
import type { ListingOptions } from '../protocol/parameters.ts'
import type { Machine } from '../protocol/stream.ts'
import type { AgentFolder, ReportFilter, Store } from '../store/store.ts'
import type { DaemonApi, Feed, Fleet, SessionList } from './daemon-api.ts'
import type { Engine } from './engine.ts'
import { Insights } from './insight/insights.ts'
import type { Loops } from './loops/shapes.ts'
import { metricsText } from './metrics.ts'
import type { Panes } from './panes/shapes.ts'
import type { ActRecorder, Requests } from './requests/shapes.ts'
import type { Troubles } from './troubles.ts'

interface Parts {
  readonly engine: Engine
  readonly store: Pick<Store, 'counts' | 'insight' | 'heardAt'>
  readonly watching: { readonly homes: readonly AgentFolder[] }
  readonly troubles: Troubles
  readonly loops: Loops
  readonly requests: Requests
  readonly acts: ActRecorder
  readonly panes: Panes
  readonly fleet: Fleet
  readonly database: string
  readonly policy?: AdminPolicy
  readonly end: (why: string) => void
}

function agentsHealth(
  store: Pick<Store, 'heardAt'>,
  homes: readonly AgentFolder[],
  host: string,
): Health['agents'] {
  const heard = heardAt(store, host)
  const all = AGENTS.map(({ id }) => {
    const own = homes.filter(({ agent }) => agent === id).map(({ path }) => path)
    return [id, { homes: own, heardAt: heard.get(id) ?? null }] as const
  })
  return Object.fromEntries(all)
}

function heardAt(store: Pick<Store, 'heardAt'>, host: string): ReadonlyMap<string, number> {
  try {
    return store.heardAt(host)
  } catch {
    return new Map()
  }
}

function machineOf(remote: RemoteMachine): Machine {
  const { isComplete: _, sessions: __, clockOffsetMs, ...machine } = remote
  return { ...machine, own: false, clockOffsetMs: -clockOffsetMs }
}

/** A log that cannot be read is among the troubles; health still answers. */
function storeHealth(store: Pick<Store, 'counts'>, path: string): Health['store'] {
  try {
    const { bytes, reports, changes, oldestAt = null } = store.counts()
    return { path, bytes, reports, changes, oldestAt }
  } catch {
    return { path, bytes: 0, reports: 0, changes: 0, oldestAt: null }
  }
}

/** The sessions of this machine and the daemon that watches them, behind the API. */
export class LocalDaemonApi implements DaemonApi {
  readonly #parts: Parts
  readonly #version = ownVersion()
  readonly #startedAt = Date.now()
  readonly machine: string
  readonly host: string
  readonly feed: Feed
  readonly loops: Loops
  readonly requests: Requests
  readonly acts: ActRecorder
  readonly panes: Panes
  readonly fleet: Fleet
  readonly insights: Insights
  readonly list: SessionList
  readonly #policy: AdminPolicy
  address: string | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#policy = parts.policy ?? new AdminPolicy()
    const { engine, store } = parts
    this.machine = engine.machine
    this.host = engine.host
    this.feed = engine.feed
    this.loops = parts.loops
    this.requests = parts.requests
    this.acts = parts.acts
    this.panes = parts.panes
    this.fleet = parts.fleet
    const look = (id: string) => engine.look(id)
    this.insights = new Insights({ tables: store.insight, look, now: Date.now })
    const { troubles } = parts
    this.list = {
      changes: engine.list.changes,
      ids: () => engine.list.allIds(),
      row: (id) => engine.list.row(id),
      machine: () => ({
        id: engine.machine,
        name: engine.host,
        version: this.#version,
        own: true,
        online: true,
        lastHeardAt: null,
        clockOffsetMs: 0,
        troubles: troubles.list(),
      }),
      machines: () => [this.list.machine(), ...parts.fleet.machines().map(machineOf)],
      onMachine: (listener) => {
        const stops = [troubles.onChange(listener), engine.machines.add(listener)]
        return () => {
          for (const stop of stops) stop()
        }
      },
      now: Date.now,
    }
  }

  sessions(options: ListingOptions) {
    return this.#parts.engine.sessions(options)
  }

  session(id: string) {
    return this.#parts.engine.session(id)
  }

  explain(id: string) {
    return this.#parts.engine.explain(id)
  }

  /** SPEC TM29. */
  statusFrom(id: string): Source | undefined {
    const facts = this.#parts.engine.tracker.sessions.facts(id)
    return facts && statusSource(facts, Date.now())
  }

  history(id: string, limit: number) {
    return this.#parts.engine.history(id, limit)
  }

  reports(filter: ReportFilter) {
    return this.#parts.engine.reports(filter)
  }

  admits(report: Report) {
    return this.#parts.engine.admits(report)
  }

  post(report: Report, key?: string) {
    return this.#parts.engine.post(report, key)
  }

  import(name: string, lines: readonly Report[]) {
    return this.#parts.engine.import(name, lines)
  }

  /** Readers and refusals are counted at the endpoints, and added there. */
  health(): Health {
    const { engine, store, watching, troubles, database } = this.#parts
    return {
      version: this.#version,
      pid: process.pid,
      machine: engine.machine,
      host: engine.host,
      startedAt: this.#startedAt,
      now: Date.now(),
      sessions: engine.sessions({ all: false }).sessions.length,
      subscribers: 0,
      durable: engine.intake.durable,
      troubles: troubles.list(),
      address: this.address,
      store: storeHealth(store, database),
      sources: Object.fromEntries(engine.intake.counts),
      agents: agentsHealth(store, watching.homes, engine.host),
      refused: {},
      policy: this.#policy.view,
    }
  }

  metrics(): string {
    const { engine } = this.#parts
    return metricsText({
      health: this.health(),
      sessions: engine.sessions({ all: false }).sessions,
      changes: engine.intake.changes,
      commits: engine.intake.commits,
      commitMs: engine.intake.commitMs,
      queued: engine.intake.waiting,
    })
  }

  stop(why: string): void {
    this.#parts.end(why)
  }
}
