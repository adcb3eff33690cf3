import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { configFolderOf, registryFileOf } from '../agents/claude/files.ts'
import { configFolderIn, folderName } from '../agents/claude/folder.ts'
import type { Report } from '../core/signal.ts'
import type { State } from '../core/verdict.ts'
import type { Folders } from '../home/folders.ts'
import type { Arrival, Complain, Sink } from '../sources/arrival.ts'
import { beganAt } from '../sources/began.ts'
import { ProcessSource } from '../sources/processes.ts'
import { RegistrySource } from '../sources/registry.ts'
import { SpoolSource } from '../sources/spool.ts'
import { TranscriptSource } from '../sources/transcripts.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from './engine.ts'
import type { Presence } from './insight/presence.ts'

export interface WatchingOptions {
  readonly engine: Engine
  readonly store: Store
  readonly presence: Presence
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly complain: Complain
}

/** Their files may change at any moment: where an event is lost, a look every 2 s finds it. */
const BUSY: ReadonlySet<State | undefined> = new Set([
  'starting',
  'working',
  'waiting',
  'background',
])

/**
 * SPEC LI2. People have one to three, some one for each project; reports may name any number, and
 * each costs watches and a look every 2 s.
 */
const CONFIG_FOLDERS_MAX = 100

/** All sources of this machine, and what follows for them from what the engine has learnt. */
export class Watching {
  readonly #options: WatchingOptions
  readonly #spool: SpoolSource
  readonly #registry: RegistrySource
  readonly #processes: ProcessSource
  readonly #transcripts: TranscriptSource
  readonly #configFolders = new Set<string>()
  readonly #own = new Set<string>()
  /** Transcripts followed, by session, and sessions that are at it. */
  readonly #followed = new Map<string, string>()
  readonly #busy = new Set<string>()
  #clockSaid: Report | undefined

  constructor(options: WatchingOptions) {
    this.#options = options
    const { engine, store, presence, folders, complain } = options
    const sink: Sink = (...batch) => engine.take(...batch)
    this.#spool = new SpoolSource({ folder: folders.spool, sink, complain })
    const busyPaths = () => this.#busyPaths()
    this.#registry = new RegistrySource({ sink, complain, busyPaths })
    this.#transcripts = new TranscriptSource({
      sink,
      complain,
      cursorOf: (path) => store.cursor(path),
      busyPaths,
    })
    this.#processes = new ProcessSource({
      sink: (...batch) => {
        sink(...batch)
        for (const arrival of batch[0]) this.#findTranscript(arrival)
      },
      complain,
      onConfigFolder: (path) => this.addFolder(path),
      onWake: (gapMs) => {
        presence.slept(gapMs, Date.now())
        this.#tellClock({ woke: true })
      },
      onStepBack: (ms) => this.#tellClock({ steppedMs: -ms }),
    })
  }

  get configFolders(): readonly string[] {
    return [...this.#configFolders]
  }

  /** What runs already is found before anybody is answered; a backlog of hooks comes after. */
  async start(): Promise<void> {
    const { env, store, engine } = this.#options
    const known = [configFolderOf(env, env.HOME ?? homedir()), env.VIGIL_AGENT_FOLDER]
    // One that is gone was somebody's experiment; the user's own may be yet to come.
    const seen = store.folders().filter((folder) => existsSync(folder))
    for (const folder of known) if (folder) this.#own.add(folder)
    for (const folder of [...this.#own, ...seen]) this.addFolder(folder)
    this.#transcripts.start()
    this.#registry.start()
    await this.#processes.start()
    engine.intake.flush()
    this.attend(new Set(engine.tracker.sessions.ids()))
    this.#spool.start()
  }

  async stop(): Promise<void> {
    this.#spool.stop()
    this.#registry.stop()
    this.#transcripts.stop()
    await this.#processes.stop()
  }

  /** That the machine slept or its clock was set, once: known before anybody is judged by it. */
  lookAtClock(): Report | undefined {
    this.#processes.lookAtClock()
    const said = this.#clockSaid
    this.#clockSaid = undefined
    return said
  }

  /** An agent keeps its files there: from then on they are watched. */
  addFolder(path: string): void {
    // Those that are used stand last: others give way before them.
    const known = this.#configFolders.delete(path)
    this.#configFolders.add(path)
    if (known) return
    this.#remember(path)
    this.#registry.add(path)
    this.#transcripts.add(path)
    this.#makeRoom()
  }

  /** SPEC LI2. The longest unused gives way, and never one that this user's environment names. */
  #makeRoom(): void {
    if (this.#configFolders.size <= CONFIG_FOLDERS_MAX) return
    for (const path of this.#configFolders) {
      if (this.#own.has(path)) continue
      this.#configFolders.delete(path)
      this.#registry.remove(path)
      this.#transcripts.remove(path)
      this.#forget(path)
      return
    }
  }

  /** These sessions have changed: their processes and transcripts are watched while they live. */
  attend(ids: ReadonlySet<string>): void {
    const { tracker } = this.#options.engine
    for (const id of ids) {
      const facts = tracker.sessions.facts(id)
      const state = facts && tracker.verdict(id)?.state
      if (BUSY.has(state)) this.#busy.add(id)
      else this.#busy.delete(id)
      if (!facts || state === 'closed') this.#leave(id)
      else {
        const { process, details } = facts
        if (process) this.#processes.watch(process.pid, process.start)
        if (details.transcript !== undefined) this.#follow(id, details.transcript)
      }
    }
  }

  /** One that is not remembered is found again by what its sessions report. */
  #remember(path: string): void {
    try {
      this.#options.store.rememberFolder(path)
    } catch (error) {
      this.#options.complain('folder not remembered', { path, why: (error as Error).message })
    }
  }

  #forget(path: string): void {
    try {
      this.#options.store.forgetFolder(path)
    } catch {
      // It is watched again after the next start, and gives way again.
    }
  }

  #follow(id: string, path: string): void {
    if (this.#followed.get(id) === path) return
    const config = configFolderIn(path)
    if (config !== undefined) this.addFolder(config)
    this.#leave(id)
    this.#followed.set(id, path)
    this.#transcripts.follow(path)
  }

  #leave(id: string): void {
    if (this.#followed.delete(id)) this.#transcripts.unfollow(id)
  }

  /** A client without hooks and registry is told by what it has written since it began. */
  #findTranscript({ report }: Arrival): void {
    const { cwd, start, alive } = report
    if (alive !== true || typeof cwd !== 'string') return
    const since = beganAt(typeof start === 'string' ? start : undefined)
    const folder = folderName(cwd)
    if (since === undefined || folder === undefined) return
    const path = this.#transcripts.findFor(folder, since)
    if (path !== undefined) this.#transcripts.follow(path)
  }

  *#busyPaths(): Generator<string> {
    const { sessions } = this.#options.engine.tracker
    for (const id of this.#busy) {
      const path = this.#followed.get(id)
      if (path === undefined) continue
      yield path
      const pid = sessions.facts(id)?.process?.pid
      const config = configFolderIn(path)
      if (pid !== undefined && config !== undefined) yield registryFileOf(config, pid)
    }
  }

  #tellClock(what: { readonly woke: true } | { readonly steppedMs: number }): void {
    this.#clockSaid = { t: Date.now(), source: 'process', ...what }
    this.#options.engine.take([])
  }
}
