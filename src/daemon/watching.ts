import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { AGENTS, folderVariableOf, UNNAMED_AGENT } from '../agents/index.ts'
import type { State } from '../core/verdict.ts'
import type { Folders } from '../home/folders.ts'
import { folderPolling, NEEDS_WAKING } from '../platform/folder-events.ts'
import { openWakePipe } from '../platform/wake-pipe.ts'
import type { Arrival, Sink } from '../sources/arrival.ts'
import { ProcessSource } from '../sources/processes.ts'
import { SpoolSource } from '../sources/spool.ts'
import type { AgentFolder, Store } from '../store/store.ts'
import { AgentFiles, type AgentFilesOptions } from './agent-files.ts'
import { catchUp } from './catch-up.ts'
import type { Engine } from './engine.ts'
import type { Presence } from './insight/presence.ts'
import type { Troubles } from './troubles.ts'

export interface WatchingOptions extends Pick<AgentFilesOptions, 'complain' | 'servers'> {
  readonly engine: Engine
  readonly store: Store
  readonly presence: Presence
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly troubles: Troubles
}

/** Their files may change at any moment: where an event is lost, a scan every 2 s finds it. */
const BUSY: ReadonlySet<State | undefined> = new Set([
  'starting',
  'working',
  'waiting',
  'background',
])

/**
 * SPEC LI2. People have one to three, some one per project; reports may name any number, and each
 * costs watches and a scan every 2 s.
 */
const HOMES_MAX = 100

const BEHIND = 'still reading what agents wrote before vigil started; states may be out of date'

/** All sources of this machine, and how they follow what the engine learns. */
export class Watching {
  readonly #options: WatchingOptions
  readonly #spool: SpoolSource
  readonly #processes: ProcessSource
  readonly #files: ReadonlyMap<string, AgentFiles>
  /** Least recently used first. */
  readonly #homes = new Map<string, AgentFolder>()
  readonly #own = new Set<string>()
  /** Sessions that are working. */
  readonly #busy = new Set<string>()
  #endCatchUp: (() => void) | undefined
  #wakePipe: { close(): void } | undefined

  constructor(options: WatchingOptions) {
    this.#options = options
    const { engine, store, presence, folders, complain, servers } = options
    const sink: Sink = (...batch) => engine.take(...batch)
    this.#spool = new SpoolSource({ folder: folders.spool, sink, complain })
    const cursorOf = (path: string) => store.cursor(path)
    const shared = { sink, complain, cursorOf, servers, busy: () => this.#busySessions() }
    this.#files = new Map(
      AGENTS.map((agent) => [
        agent.id,
        new AgentFiles(agent, { ...shared, isAnyRunning: () => this.#isRunning(agent.id) }),
      ]),
    )
    this.#processes = new ProcessSource({
      sink: (...batch) => {
        sink(...batch)
        for (const arrival of batch[0]) this.#attendClient(arrival)
      },
      complain,
      isBusy: () => this.#busy.size > 0,
      onHome: (agent, path) => this.addHome(agent, path),
      onWake: (gapMs) => {
        presence.slept(gapMs, Date.now())
        this.#tellClock({ woke: true })
      },
      onStepBack: (ms) => this.#tellClock({ steppedMs: -ms }),
    })
    engine.intake.clockNeeded.add(() => this.#processes.lookAtClock())
    engine.touched.add((ids) => this.#onSessionsChanged(ids))
  }

  get homes(): readonly AgentFolder[] {
    return [...this.#homes.values()]
  }

  /** SPEC S30. Reads running processes and existing files before any request is answered. */
  async start(): Promise<void> {
    const { env, store, engine, troubles } = this.#options
    folderPolling.isAnyRunning = () => this.#processes.watched > 0
    folderPolling.isAnyBusy = () => this.#busy.size > 0
    this.#openWakePipe()
    for (const { id, homes } of AGENTS)
      for (const path of [...homes(env, env.HOME ?? homedir()), env[folderVariableOf(id)]])
        if (path) this.#addOwn(id, path)
    // A missing home was an experiment; the user's own may still be created.
    for (const { agent, path } of store.folders())
      if (existsSync(path)) this.addHome(agent || UNNAMED_AGENT, path)
    for (const files of this.#files.values()) files.start()
    await this.#processes.start()
    engine.intake.flush()
    this.#onSessionsChanged(new Set(engine.tracker.sessions.ids()))
    this.#spool.start()
    this.#endCatchUp = await catchUp({
      isCaughtUp: () => this.#isCaughtUp,
      flush: () => engine.intake.flush(),
      behind: (isBehind) => troubles.set('start', isBehind ? BEHIND : undefined),
    })
  }

  get #isCaughtUp(): boolean {
    return this.#spool.isCaughtUp && [...this.#files.values()].every((one) => one.isCaughtUp)
  }

  /** Without it the next scan finds a hook's report. */
  #openWakePipe(): void {
    if (!NEEDS_WAKING) return
    const { folders, complain } = this.#options
    try {
      this.#wakePipe = openWakePipe(folders.run, folderPolling)
    } catch (error) {
      complain('hooks cannot wake the daemon', { why: (error as Error).message })
    }
  }

  #addOwn(agent: string, path: string): void {
    this.#own.add(keyOf(agent, path))
    this.addHome(agent, path)
  }

  async stop(): Promise<void> {
    this.#endCatchUp?.()
    this.#wakePipe?.close()
    this.#spool.stop()
    for (const files of this.#files.values()) files.stop()
    await this.#processes.stop()
  }

  /** An agent stores its files there: from then on they are watched. */
  addHome(agent: string, path: string): void {
    const files = this.#files.get(agent)
    if (!files) return
    const key = keyOf(agent, path)
    // Used homes move to the end: others are dropped first.
    const known = this.#homes.delete(key)
    this.#homes.set(key, { agent, path })
    if (known) return
    this.#remember({ agent, path })
    files.add(path)
    this.#makeRoom()
  }

  /** SPEC LI2. Drops the least recently used, but never one from this user's environment. */
  #makeRoom(): void {
    if (this.#homes.size <= HOMES_MAX) return
    for (const [key, { agent, path }] of this.#homes) {
      if (this.#own.has(key)) continue
      this.#homes.delete(key)
      this.#files.get(agent)?.remove(path)
      this.#forget(path)
      return
    }
  }

  /** These sessions have changed: their processes and logs are watched while they live. */
  #onSessionsChanged(ids: ReadonlySet<string>): void {
    const { tracker } = this.#options.engine
    for (const id of ids) {
      const facts = tracker.sessions.facts(id)
      const { state, detached } = (facts && tracker.verdict(id)) ?? {}
      if (BUSY.has(state)) this.#busy.add(id)
      else this.#busy.delete(id)
      if (!facts || state === 'closed') this.#leave(id)
      else {
        const { agent, process, details } = facts
        if (process && !detached) this.#processes.watch(agent, process.pid, process.start)
        const log = details.transcript ?? this.#ownLog(agent, id, details.cwd)
        if (log !== undefined) this.#follow(agent, id, log)
      }
    }
  }

  /** A home that cannot be stored is found again through its sessions' reports. */
  #remember(folder: AgentFolder): void {
    try {
      this.#options.store.rememberFolder(folder)
    } catch (error) {
      this.#options.complain('a folder could not be remembered', {
        ...folder,
        why: (error as Error).message,
      })
    }
  }

  #forget(path: string): void {
    try {
      this.#options.store.forgetFolder(path)
    } catch {
      // It is watched again after the next start, and dropped again.
    }
  }

  #follow(agent: string, id: string, path: string): void {
    const files = this.#files.get(agent)
    if (!files || files.isFollowed(id, path)) return
    const home = files.homeOf(path)
    if (home !== undefined) this.addHome(agent, home)
    files.follow(id, path)
  }

  #leave(id: string): void {
    for (const files of this.#files.values()) files.leave(id)
  }

  /** SPEC S29. Several sessions in one folder, and no hook names their logs. */
  #ownLog(agent: string, id: string, cwd: string | undefined): string | undefined {
    return cwd === undefined ? undefined : this.#files.get(agent)?.findOwn(id, cwd)
  }

  #isRunning(agent: string): boolean {
    return this.#processes.isRunning(agent)
  }

  #attendClient({ report }: Arrival): void {
    const { agent, cwd, start, alive } = report
    const files = this.#files.get(String(agent))
    if (alive !== true || !files) return
    files.servers?.nudge()
    if (typeof cwd === 'string') files.find(cwd, typeof start === 'string' ? start : undefined)
  }

  *#busySessions() {
    const { sessions } = this.#options.engine.tracker
    for (const id of this.#busy) yield { id, pid: sessions.facts(id)?.process?.pid }
  }

  #tellClock(what: { readonly woke: true } | { readonly steppedMs: number }): void {
    this.#options.engine.intake.clockChanged({ t: Date.now(), source: 'process', ...what })
  }
}

function keyOf(agent: string, path: string): string {
  return `${agent} ${path}`
}
