import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { COMMAND } from '../client/start.ts'
import { writeProgress } from '../home/daemon-files.ts'
import type { Folders } from '../home/folders.ts'
import { ownMachine } from '../home/machine.ts'
import { AdminPolicy } from '../home/policy.ts'
import { refreshHooks } from '../install/refresh.ts'
import type { Complain } from '../sources/arrival.ts'
import { ACT_NOTED, headFileOf } from '../store/audit-head.ts'
import type { ChainHead } from '../store/chain-check.ts'
import { isDamage } from '../store/errors.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { startServers } from './api-servers.ts'
import { attachAll } from './attach.ts'
import { AuditLog } from './audit/audit-log.ts'
import type { DaemonOptions } from './daemon.ts'
import { Engine } from './engine.ts'
import { fleetOf, remoteFeedOf } from './fleet/assembled.ts'
import { RemoteList } from './fleet/remote-list.ts'
import { Presence } from './insight/presence.ts'
import { LiveSettings } from './live-settings.ts'
import { LocalDaemonApi } from './local-daemon-api.ts'
import { type LoopService, loopServiceOf } from './loops/service.ts'
import { OlderClients } from './older-clients.ts'
import { LocalPanes, type PaneParts } from './panes/panes.ts'
import { passNamesOn } from './passed-names.ts'
import { NOTHING_WATCHED } from './played.ts'
import { LoggedActs } from './requests/acts.ts'
import { AgentServers } from './requests/agent-servers.ts'
import { AnswerSwitch } from './requests/answer-switch.ts'
import { AnswerableRequests } from './requests/answerable.ts'
import { type RequestService, requestServiceOf } from './requests/service.ts'
import { WaitPipes } from './requests/waiting-hooks.ts'
import { Retention } from './retention.ts'
import { followGuarded } from './settings-log.ts'
import { SilentStatus } from './silent-status.ts'
import { Troubles } from './troubles.ts'
import { Watching } from './watching.ts'

export interface Assembled {
  readonly port: number
  /** Reports of open sessions replayed from the log. */
  readonly replayed: number
  close(): Promise<void>
}

export interface AssembleOptions {
  readonly end: (why: string) => void
  /** The log is damaged: opening it again sets it aside and rebuilds it. */
  readonly onDamaged: () => void
  readonly checkWhole: boolean
}

/** The daemon's parts, created in the order of their dependencies. */
export async function assemble(
  options: DaemonOptions,
  log: Logger,
  { end, onDamaged, checkWhole }: AssembleOptions,
): Promise<Assembled> {
  const { folders, playedHooks, policy = new AdminPolicy(), host = hostname() } = options
  const played = playedHooks !== undefined
  const troubles = new Troubles(log)
  const complain: Complain = (what, about) => log.warn(about, what)
  if (!played) refresh(options, complain)
  const store = storeAt(folders.database, checkWhole, troubles)
  const presence = presenceIn(store, complain)
  const settings = new LiveSettings(folders, (what) => troubles.set('settings', what))
  const remote = new RemoteList()
  const hooks = playedHooks ?? new WaitPipes(folders, complain)
  const open = new AnswerableRequests(new AnswerSwitch(policy), hooks)
  const engine = engineOf({ store, folders, host, open, troubles, settings, remote, onDamaged })
  const replayed = engine.replay((done, of) => writeProgress(folders, { done, of }))
  const acts = actsIn(store, folders, log, complain)
  const shared = { ...sharedOf(options, played), engine, acts, settings, complain, policy }
  const watching = played ? NOTHING_WATCHED : new Watching({ ...shared, store, presence, troubles })
  const panes = panesOf(shared)
  const requests = requestServiceOf({ ...shared, open, table: store.acts, panes })
  followGuarded({ ...shared, now: Date.now })
  const loops = loopServiceOf({ ...shared, storage: store.loops, prompts: panes.ofLoops })
  subscribe(engine, { loops, requests, panes })
  const closeClients = played ? () => {} : watchClients(engine, folders, troubles)
  requests.start()
  await watching.start()
  await loops.start()
  const retention = retentionOf(store, complain)
  const fleet = fleetOf({ ...shared, remote, troubles })
  const api = new LocalDaemonApi({
    ...{ ...shared, store, fleet, watching, troubles, panes, end },
    loops: loops.loops,
    requests: requests.requests,
    database: folders.database,
  })
  const endpoints = await startServers(api, options, { settings, complain, policy })
  await fleet.start(endpoints.memberApp)
  const context = { ...surfaceViewOf(api), remote: remoteFeedOf(fleet, engine) }
  const surfaces = attachAll(options.attach ?? {}, {
    ...{ ...context, folders, settings, policy, complain },
    onTouched: (listener) => engine.touched.add(listener),
    take: engine.take,
    trouble: (about, what) => troubles.set(about, what),
  })
  return {
    port: endpoints.port,
    replayed,
    close: async () => {
      panes.close()
      await surfaces.close()
      await fleet.close()
      await endpoints.close()
      loops.close()
      requests.close()
      settings.close()
      await watching.stop()
      closeClients()
      retention.stop()
      engine.stop()
      presence.end(Date.now())
      store.close()
    },
  }
}

function sharedOf({ folders, env }: DaemonOptions, recorded: boolean) {
  return { folders, env, recorded, servers: new AgentServers() }
}

function surfaceViewOf(api: LocalDaemonApi) {
  return {
    machine: api.machine,
    sessions: () => api.sessions({ all: false }),
    session: (id: string) => api.session(id),
    statusFrom: (id: string) => api.statusFrom(id),
    changes: api.feed,
    requests: api.requests,
  }
}

/**
 * Loops, requests and panes are notified of what the engine learns in this order: after the
 * sources, which subscribe when they are created, and before surfaces, which are attached last.
 */
function subscribe(engine: Engine, { loops, requests, panes }: Listening): void {
  passNamesOn(engine, Date.now)
  for (const part of [loops, requests])
    engine.intake.learnt.add((arrival) => part.onReport(arrival))
  for (const part of [loops, requests, panes])
    engine.touched.add((ids) => part.onSessionsChanged(ids))
}

interface Listening {
  readonly loops: LoopService
  readonly requests: RequestService
  readonly panes: LocalPanes
}

/** What the hooks that are installed do not fit. Returns how to end it. */
function watchClients(engine: Engine, folders: Folders, troubles: Troubles): () => void {
  const older = new OlderClients({ folders, troubles })
  const silent = new SilentStatus({ tracker: engine.tracker, folders, troubles })
  for (const part of [older, silent]) engine.intake.learnt.add((arrival) => part.onReport(arrival))
  engine.touched.add((ids) => silent.onSessionsChanged(ids))
  return () => {
    older.close()
    silent.close()
  }
}

/** People's decisions are recorded in the audit log first. */
function actsIn(store: Store, folders: Folders, log: Logger, complain: Complain): LoggedActs {
  const onNoted = (head: ChainHead) => log.info(head, ACT_NOTED)
  const headFile = headFileOf(folders)
  const audit = new AuditLog({ acts: store.acts, headFile, now: Date.now, onNoted, complain })
  audit.start()
  return new LoggedActs(audit, Date.now)
}

function machineOf(folders: Folders, troubles: Troubles): string {
  const { id, trouble } = ownMachine(folders)
  troubles.set('machine', trouble)
  return id
}

function storeAt(path: string, checkWhole: boolean, troubles: Troubles): Store {
  const { store, notice } = openStore(path, { checkWhole })
  if (notice) troubles.set('store', notice)
  return store
}

function retentionOf(store: Store, complain: Complain): Retention {
  const retention = new Retention(store, (error) => complain('retention failed', { error }))
  retention.start()
  return retention
}

function presenceIn(store: Store, complain: Complain): Presence {
  const presence = new Presence(store.insight, complain)
  presence.begin(Date.now())
  return presence
}

function panesOf(parts: Omit<PaneParts, 'session' | 'now'> & { readonly engine: Engine }) {
  return new LocalPanes({ ...parts, session: (id) => parts.engine.look(id), now: Date.now })
}

interface EngineParts {
  readonly store: Store
  readonly folders: Folders
  readonly host: string
  readonly open: AnswerableRequests
  readonly troubles: Troubles
  readonly settings: LiveSettings
  readonly remote: RemoteList
  readonly onDamaged: () => void
}

function engineOf(parts: EngineParts): Engine {
  const { store, folders, host, open, troubles, settings, onDamaged } = parts
  const engine = new Engine({
    store,
    machine: machineOf(folders, troubles),
    host,
    now: Date.now,
    asksOf: (id) => open.asksOf(id),
    remote: parts.remote,
    onTrouble: (error) => {
      troubles.set('log', error && `cannot be written: ${error.message}`)
      if (isDamage(error)) onDamaged()
    },
  })
  engine.setAttention(settings.now.attention)
  settings.follow(({ attention }) => engine.setAttention(attention))
  return engine
}

/** Hooks of an earlier version still work: the daemon can start without renewing them. */
function refresh({ folders }: DaemonOptions, complain: Complain): void {
  try {
    refreshHooks(folders, { node: process.execPath, vigil: COMMAND })
  } catch (error) {
    complain('hook scripts could not be updated', { error: (error as Error).message })
  }
}
