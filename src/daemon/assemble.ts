import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { COMMAND } from '../client/start.ts'
import { tellProgress } from '../home/daemon-files.ts'
import { ownMachine } from '../home/machine.ts'
import { AdminPolicy } from '../home/policy.ts'
import { refreshHooks } from '../install/refresh.ts'
import type { Complain } from '../sources/arrival.ts'
import { ACT_NOTED } from '../store/audit-head.ts'
import type { ChainHead } from '../store/chain-check.ts'
import { isDamage } from '../store/errors.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { startServers } from './api-servers.ts'
import { attachAll } from './attach.ts'
import type { DaemonOptions } from './daemon.ts'
import { Engine } from './engine.ts'
import { Presence } from './insight/presence.ts'
import { Listeners } from './listeners.ts'
import { LiveSettings } from './live-settings.ts'
import { LocalDaemonApi } from './local-daemon-api.ts'
import { type LoopService, loopServiceOf } from './loops/service.ts'
import { OlderClients } from './older-clients.ts'
import { LocalPanes, type PaneParts } from './panes/panes.ts'
import { NOTHING_WATCHED, unanswerable } from './played.ts'
import { type RequestService, requestServiceOf } from './requests/service.ts'
import { Retention } from './retention.ts'
import { followGuarded } from './settings-log.ts'
import { Troubles } from './troubles.ts'
import { Watching } from './watching.ts'

export interface Assembled {
  readonly port: number
  /** Reports of open sessions taken up from the log. */
  readonly replayed: number
  close(): Promise<void>
}

export interface AssembleOptions {
  readonly end: (why: string) => void
  /** The log is damaged: it is to be opened anew, which sets it aside and rebuilds it. */
  readonly onDamaged: () => void
  readonly checkWhole: boolean
}

/** The daemon's parts, put together in the order in which they need each other. */
export async function assemble(
  options: DaemonOptions,
  log: Logger,
  { end, onDamaged, checkWhole }: AssembleOptions,
): Promise<Assembled> {
  const { folders, env, played = false, policy = new AdminPolicy() } = options
  const troubles = new Troubles(log)
  const complain: Complain = (what, about) => log.warn(about, what)
  if (!played) refresh(options, complain)
  const store = storeAt(folders.database, checkWhole, troubles)
  const presence = presenceIn(store, complain)
  const settings = new LiveSettings(folders, (what) => troubles.set('settings', what))
  const followers: Followers = {}
  const touched = new Listeners<ReadonlySet<string>>()
  const engine = engineOf({ store, folders, played, touched, followers, troubles, onDamaged })
  const replayed = engine.replay((done, of) => tellProgress(folders, { done, of }))
  const given = { engine, store, folders, env, settings, complain, policy, onNoted: notedIn(log) }
  const { asking, panes, works } = deciding(given, played)
  const watching = played ? NOTHING_WATCHED : new Watching({ ...given, presence })
  Object.assign(followers, { works, asking, panes, watching })
  if (!played) followers.clients = new OlderClients({ folders, troubles })
  asking.requests.onAsks((session) => engine.list.changes.touch([session]))
  asking.start()
  await watching.start()
  works.start()
  const retention = retentionOf(store, complain)
  const api = new LocalDaemonApi({
    engine,
    store,
    watching,
    troubles,
    loops: works.loops,
    requests: played ? unanswerable(asking.requests) : asking.requests,
    acts: asking.acts,
    panes,
    database: folders.database,
    policy,
    end,
  })
  const endpoints = await startServers(api, options, { settings, complain, policy })
  const surfaces = attachAll(options.attach ?? {}, {
    ...surfaceViewOf(api),
    folders,
    settings,
    policy,
    onTouched: (listener) => touched.add(listener),
    take: engine.take,
    couldAnswer: (way, able) => asking.way(way, able),
    complain,
    trouble: (about, what) => troubles.set(about, what),
  })
  return {
    port: endpoints.port,
    replayed,
    close: async () => {
      asking.hangUp()
      panes.close()
      await surfaces.close()
      await endpoints.close()
      works.close()
      asking.close()
      settings.close()
      await watching.stop()
      followers.clients?.close()
      retention.stop()
      engine.stop()
      presence.end(Date.now())
      store.close()
    },
  }
}

function surfaceViewOf(api: LocalDaemonApi) {
  return {
    machine: api.machine,
    sessions: () => api.sessions({ all: false }),
    session: (id: string) => api.session(id),
    explain: (id: string) => api.explain(id),
    changes: api.feed,
    requests: api.requests,
  }
}

interface Given {
  readonly engine: Engine
  readonly store: Store
  readonly folders: DaemonOptions['folders']
  readonly env: DaemonOptions['env']
  readonly settings: LiveSettings
  readonly complain: Complain
  readonly policy: AdminPolicy
  readonly onNoted: (head: ChainHead) => void
}

/** What people decide here: answers, typing, loops; all of it noted, and under the policy. */
function deciding({ store, ...given }: Given, recorded: boolean) {
  const { engine, complain, policy } = given
  const asking = requestServiceOf({ ...given, book: store.acts })
  const { acts } = asking
  followGuarded({ ...given, acts, now: Date.now })
  const panes = panesOf(engine, { acts, complain, policy, recorded })
  const works = loopServiceOf({ ...given, book: store.loops, acts, prompts: panes.ofLoops })
  return { asking, panes, works }
}

function machineOf(folders: DaemonOptions['folders'], troubles: Troubles): string {
  const { id, trouble } = ownMachine(folders)
  troubles.set('machine', trouble)
  return id
}

function storeAt(path: string, checkWhole: boolean, troubles: Troubles): Store {
  const { store, notice } = openStore(path, { checkWhole })
  if (notice) troubles.set('store', notice)
  return store
}

function notedIn(log: Logger) {
  return (head: ChainHead) => log.info(head, ACT_NOTED)
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

function panesOf(engine: Engine, parts: Omit<PaneParts, 'session' | 'now'>): LocalPanes {
  return new LocalPanes({ ...parts, session: (id) => engine.look(id), now: Date.now })
}

/** Who follows what the engine learns; made after it, since each of them needs it. */
interface Followers {
  watching?: Pick<Watching, keyof typeof NOTHING_WATCHED>
  works?: LoopService
  asking?: RequestService
  panes?: LocalPanes
  clients?: OlderClients
}

interface EngineParts {
  readonly store: Store
  readonly folders: DaemonOptions['folders']
  readonly played: boolean
  readonly touched: Listeners<ReadonlySet<string>>
  readonly followers: Followers
  readonly troubles: Troubles
  readonly onDamaged: () => void
}

function engineOf({
  store,
  folders,
  played,
  touched,
  followers,
  troubles,
  onDamaged,
}: EngineParts): Engine {
  return new Engine({
    store,
    machine: machineOf(folders, troubles),
    host: played ? 'demo' : hostname(),
    now: Date.now,
    lookAtClock: () => followers.watching?.lookAtClock(),
    onTouched: (ids) => {
      followers.watching?.attend(ids)
      followers.works?.attend(ids)
      followers.asking?.attend(ids)
      followers.panes?.attend(ids)
      touched.tell(ids)
    },
    onLearnt: (arrival) => {
      followers.works?.see(arrival)
      followers.asking?.see(arrival)
      followers.clients?.see(arrival)
    },
    asksOf: (id) => (played ? [] : (followers.asking?.requests.asksOf(id) ?? [])),
    onTrouble: (error) => {
      troubles.set('log', error && `cannot be written: ${error.message}`)
      if (isDamage(error)) onDamaged()
    },
  })
}

/** Hooks of an earlier version go on working: they need not be renewed for us to start. */
function refresh({ folders }: DaemonOptions, complain: Complain): void {
  try {
    refreshHooks(folders, { node: process.execPath, vigil: COMMAND })
  } catch (error) {
    complain('hook scripts could not be renewed', { error: (error as Error).message })
  }
}
