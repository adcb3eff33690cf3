import type { Agent } from '../agents/agent.ts'
import { AGENTS, clientIn } from '../agents/index.ts'
import { isSameStart } from '../core/process-start.ts'
import { isThere } from '../platform/is-there.ts'
import { type ProcessEntry, type ProcessTable, processTable } from '../platform/process-table.ts'
import type { Complain, Sink, Watcher } from './arrival.ts'
import { type ClockEvents, type Clocks, ClockWatch } from './clock-watch.ts'
import { DeathLook } from './death-look.ts'
import { isSameProgram, type OtherProcess, otherAfter, youngIn } from './other-process.ts'
import { PANE_VARIABLES, paneIn } from './process-pane.ts'

/** SPEC S32. A new client is found within half a second; where a listing is dear, it waits. */
const LOOK_MS = 250
/** Between fork and exec a child of a client looks like one for less than this. */
const AGAIN_MS = 60

export interface ProcessOptions extends ClockEvents, Partial<Clocks> {
  readonly sink: Sink
  readonly complain: Complain
  readonly table?: ProcessTable
  /** Called with the folder of a found client's files. */
  readonly onHome?: (agent: string, path: string) => void
  /** Whether an agent is working. */
  readonly isBusy?: () => boolean
  readonly lookMs?: number
}

interface Watched {
  /** The agents whose sessions named it, or whose client it is: it is reported to each. */
  readonly agents: Set<string>
  /** Undefined until it was seen. */
  start: string | undefined
  /** How many looks had begun when it was named. */
  readonly looks: number
}

/** Finds clients and reports when a process ends: one scan for all (SPEC S12–S16, S26). */
export class ProcessSource implements Watcher {
  readonly #options: ProcessOptions
  readonly #table: ProcessTable
  readonly #lookMs: number
  readonly #clocks: Clocks
  readonly #watched = new Map<number, Watched>()
  readonly #fresh = new Set<number>()
  readonly #others = new Map<number, OtherProcess>()
  /**
   * Looked like clients once. Between fork and exec every child of a client looks like one, so a
   * process that starts while vigil watches is reported at the second scan.
   */
  readonly #newborn = new Set<number>()
  readonly #deaths: DeathLook
  #looks = 0
  #first = true
  #timer: NodeJS.Timeout | undefined
  #clock: ClockWatch | undefined
  #looking: Promise<void> | undefined
  /**
   * Time passed unobserved, and pids may have been reused. Otherwise a pid cannot be reused
   * unnoticed: within a second it would have to be freed and all others used up.
   */
  #slept = false
  #stopped = true

  constructor(options: ProcessOptions) {
    this.#options = options
    this.#table = options.table ?? processTable()
    this.#lookMs = options.lookMs ?? LOOK_MS
    this.#deaths = new DeathLook(this.#watched, {
      isThere,
      isRunning: (pid) => this.#table.isRunning(pid),
      onGone: (pid) => this.#end(pid, this.#watched.get(pid)),
      onDoubt: (pid) => this.#recheck(pid),
    })
    this.#clocks = {
      now: options.now ?? Date.now,
      monotonicMs: options.monotonicMs ?? (() => performance.now()),
    }
  }

  get watched(): number {
    return this.#watched.size
  }

  /** Whether a process of this agent is watched. */
  isRunning(agent: string): boolean {
    return [...this.#watched.values()].some(({ agents }) => agents.has(agent))
  }

  /** Resolves when the clients that already run have been found. */
  async start(): Promise<void> {
    this.#stopped = false
    const { onWake, ...events } = this.#options
    this.#clock = new ClockWatch(this.#lookMs, this.#clocks, {
      ...events,
      onWake: (gapMs) => {
        this.#slept = true
        onWake?.(gapMs)
      },
    })
    this.#timer = setInterval(() => {
      this.lookAtClock()
      void this.#look()
    }, this.#lookMs)
    this.#deaths.start()
    await this.#look()
    this.#first = false
  }

  /** Also between two scans, before a caller judges by the clock. */
  lookAtClock(): void {
    this.#clock?.look()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    this.#deaths.stop()
    await this.#looking
  }

  /** A process that a session of this agent named; with its start where known. */
  watch(agent: string, pid: number, start?: string): void {
    if (!Number.isSafeInteger(pid) || pid <= 1) return
    const known = this.#watched.get(pid)
    const isOther =
      known?.start !== undefined && start !== undefined && !isSameStart(known.start, start)
    if (known && !isOther) {
      known.agents.add(agent)
      known.start ??= start
      return
    }
    if (known) this.#report(pid, false, known)
    this.#others.delete(pid)
    this.#watched.set(pid, { agents: new Set([agent]), start, looks: this.#looks })
    this.#fresh.add(pid)
  }

  /** A scan that takes longer than a second is waited for, not started again. */
  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = this.#lookAtAll().catch((error: unknown) => {
      this.#options.complain('processes cannot be listed', { why: String(error) })
    })
    await this.#looking
    this.#looking = undefined
  }

  async #lookAtAll(): Promise<void> {
    // A process named while the listing is made may be younger than it, or end before it is read.
    const looks = this.#looks++
    const fresh = [...this.#fresh]
    const isBusy = this.#options.isBusy?.() ?? true
    const listing = await this.#table.list(this.#watched.keys(), isBusy)
    const all = listing?.isWhole ? listing.pids : undefined
    for (const [pid, watched] of all ? this.#watched : [])
      if (!all?.has(pid) && watched.looks <= looks) this.#end(pid, watched)
    if (this.#slept) for (const pid of [...this.#watched.keys()]) this.#recheck(pid)
    this.#slept = false
    for (const pid of fresh) if (!this.#stopped) await this.#greet(pid)
    for (const pid of [...this.#newborn]) await this.#examine(pid, this.#others.get(pid))
    const nowMs = this.#clocks.monotonicMs()
    for (const pid of all ?? [...youngIn(this.#others), ...(listing?.pids ?? [])]) {
      if (this.#watched.has(pid)) continue
      const other = this.#others.get(pid)
      if (other === undefined || other.dueMs <= nowMs) await this.#examine(pid, other)
      if (this.#stopped) return
    }
    if (all && this.#others.size + this.#watched.size > all.size)
      for (const pid of this.#others.keys()) if (!all.has(pid)) this.#others.delete(pid)
  }

  /** Whether it still exists and is the same: pids are reused. */
  #recheck(pid: number): ProcessEntry | undefined {
    const glance = this.#table.glance(pid)
    const watched = this.#watched.get(pid)
    // Not seen is not dead: the listing decides that.
    if (!glance || !watched) return undefined
    watched.start ??= glance.start
    if (!glance.zombie && isSameStart(watched.start, glance.start)) return glance
    this.#end(pid, watched)
    return undefined
  }

  /** The first check of a process that another source named. */
  async #greet(pid: number): Promise<void> {
    const glance = this.#recheck(pid)
    if (!glance) return
    this.#fresh.delete(pid)
    const args = (await this.#table.argsOf(pid)) ?? []
    const agent = clientIn(args)
    if (agent) await this.#tellClient(pid, agent, args)
    // Its hooks named it, under no known program name: it may still be the client.
    else this.#report(pid, true, this.#watched.get(pid))
  }

  async #examine(pid: number, before: OtherProcess | undefined): Promise<void> {
    const newborn = this.#newborn.delete(pid)
    const glance = this.#table.glance(pid)
    if (!glance) return
    // A script named like a client is about to become it, under the same name.
    const isNamedSo = AGENTS.some(({ recognise }) => recognise([glance.name]) !== undefined)
    const isSettled = isSameProgram(glance, before) && !isNamedSo
    const args = isSettled ? [] : ((await this.#table.argsOf(pid)) ?? [])
    const agent = clientIn(args)
    if (agent) {
      if (glance.zombie || this.#watched.has(pid)) return
      if (!newborn && !this.#first) return this.#expect(pid)
      this.#others.delete(pid)
      this.#watched.set(pid, { agents: new Set(), start: glance.start, looks: this.#looks })
      return this.#tellClient(pid, agent, args)
    }
    this.#others.set(pid, otherAfter(pid, glance, before, this.#clocks.monotonicMs()))
  }

  #expect(pid: number): void {
    this.#newborn.add(pid)
    setTimeout(() => !this.#stopped && void this.#look(), AGAIN_MS).unref()
  }

  async #tellClient(pid: number, agent: Agent, args: readonly string[]): Promise<void> {
    const { id, variables, homes } = agent
    const asked = ['HOME', ...(variables.home === undefined ? [] : [variables.home])]
    const { cwd, env: all } = await this.#table.surroundingsOf(pid, [...asked, ...PANE_VARIABLES])
    const watched = this.#watched.get(pid)
    if (!watched || this.#stopped) return
    watched.agents.add(id)
    const command = agent.commandOf?.(args) ?? agent.command
    this.#report(pid, true, watched, { command, ...(cwd && { cwd }), ...paneIn(all) })
    const env = Object.fromEntries(asked.map((name) => [name, all[name]]))
    if (!Object.values(env).some((path) => path?.startsWith('/'))) return
    for (const home of homes(env, env.HOME ?? '')) this.#options.onHome?.(id, home)
  }

  #end(pid: number, watched: Watched | undefined): void {
    this.#watched.delete(pid)
    this.#fresh.delete(pid)
    this.#report(pid, false, watched)
  }

  #report(pid: number, alive: boolean, watched: Watched | undefined, more: object = {}): void {
    const t = this.#clocks.now()
    const { agents = [], start } = watched ?? {}
    const seen = { t, source: 'process', pid, alive, ...more, ...(start && { start }) } as const
    const reports = [...agents].map((agent) => ({ ...seen, agent }))
    if (reports.length > 0) this.#options.sink(reports.map((report) => ({ report })))
  }
}
