import { type Facts, nothingKnown } from './facts.ts'
import { learn } from './learn.ts'
import { RESUME_GUESS_MS, SESSIONS_MAX, UNNAMED_SIGNALS_MAX } from './limits.ts'
import { Lineages } from './lineage.ts'
import { closed } from './rules/closing.ts'
import { openTasks } from './rules/tasks.ts'
import type { About, Signal } from './signal.ts'

interface Holder {
  readonly session: string
  readonly at: number
}

const SCREEN = 'pane:'

function isScreen(id: string): boolean {
  return id.startsWith(SCREEN)
}

/**
 * All sessions of a machine, and which of them a signal is about. Sources name a session by
 * different handles (id, pid, pane, folder); this joins them (SPEC L1–L6). Deterministic, no clock:
 * the same signals give the same sessions.
 *
 * A process or a screen may be seen before anything names its session. It is kept under a stand-in
 * name and becomes the session as soon as one is named for it.
 */
export class Sessions {
  readonly lineages = new Lineages()
  readonly #facts = new Map<string, Facts>()
  readonly #pids = new Map<number, Holder>()
  readonly #panes = new Map<string, Holder>()
  readonly #folders = new Map<string, Set<string>>()
  /** Stand-ins, with the signals to hand on: the newest of each kind and source. */
  readonly #unnamed = new Map<string, Map<string, Signal>>()
  /** Open sessions whose pane nobody has told. */
  readonly #paneless = new Set<string>()

  get size(): number {
    return this.#facts.size
  }

  ids(): IterableIterator<string> {
    return this.#facts.keys()
  }

  facts(session: string): Facts | undefined {
    return this.#facts.get(session)
  }

  /** Learns the signal; returns the sessions whose facts it changed, none if it is about nobody. */
  take(signal: Signal): readonly string[] {
    const id = signal.about.session ?? this.#find(signal)
    if (id === undefined) return []
    const touched = new Set<string>([id])
    const isNew = !this.#facts.has(id)
    if (isNew) this.#add(id, signal.about.agent)
    this.#join(id, signal, touched)
    if (isNew || signal.kind === 'opened') this.#adopt(id, signal, touched)
    this.#learn(id, signal)
    if (isNew) this.#pairUp(touched)
    return [...touched].filter((other) => this.#facts.has(other))
  }

  #learn(id: string, signal: Signal): void {
    const facts = this.#facts.get(id)
    if (!facts) return
    this.#facts.set(id, learn(facts, signal))
    this.#unnamed.get(id)?.set(`${signal.source}/${signal.kind}`, signal)
  }

  #add(id: string, agent: string): void {
    if (this.#facts.size >= SESSIONS_MAX) this.#forgetOne()
    this.#facts.set(id, nothingKnown(agent, id))
    if (!isScreen(id)) this.#paneless.add(id)
  }

  /** SPEC L2. Ties pid, pane and folder to the session that a signal names together with them. */
  #join(id: string, signal: Signal, touched: Set<string>): void {
    const { pid, pane, folder, session } = signal.about
    if (folder !== undefined) this.#folderOf(folder).add(id)
    if (pid !== undefined) this.#hold(pid, id, signal, touched)
    if (pane !== undefined && session !== undefined) {
      const held = this.#panes.get(pane)
      if (!held || (held.at <= signal.at && !this.#shelters(held.session, id)))
        this.#panes.set(pane, { session: id, at: signal.at })
      this.#paneless.delete(id)
      if (held && this.#unnamed.has(held.session)) this.#absorb(held.session, id, touched)
    }
  }

  /** SPEC SC18. An agent started inside another one's pane: the screen is still the outer one's. */
  #shelters(outer: string, inner: string): boolean {
    if (outer === inner || this.#unnamed.has(outer) || !this.#isOpen(outer)) return false
    const pid = this.#facts.get(outer)?.process?.pid
    return pid !== undefined && this.#pids.get(pid)?.session === outer
  }

  /** SPEC L1, L3. One process speaks for one session at a time; the newest it named. */
  #hold(pid: number, id: string, signal: Signal, touched: Set<string>): void {
    const held = this.#pids.get(pid)
    if (held?.session === id) return
    if (held && this.#unnamed.has(held.session)) {
      this.#pids.set(pid, { session: id, at: signal.at })
      this.#absorb(held.session, id, touched)
      return
    }
    if (!held) {
      this.#pids.set(pid, { session: id, at: signal.at })
      return
    }
    const newer = signal.at >= held.at
    const [child, parent] = newer ? [id, held.session] : [held.session, id]
    if (newer) this.#pids.set(pid, { session: id, at: signal.at })
    if (!this.lineages.link(child, parent)) return
    this.#movePanes(parent, child)
    const at = newer ? signal.at : held.at
    this.#bequeath(parent, child, signal)
    const about: About = { agent: signal.about.agent, session: parent, pid }
    this.#learn(parent, { kind: 'left', how: 'continued', at, source: signal.source, about })
    touched.add(parent)
  }

  /** SPEC L5. Background work survives `/clear`: it belongs to the process (recording bg_clear). */
  #bequeath(parent: string, child: string, { source, about }: Signal): void {
    const facts = this.#facts.get(parent)
    for (const task of facts ? openTasks(facts) : []) {
      const { id, what = 'task', label } = task
      const named = {
        kind: 'task-started' as const,
        id,
        what,
        ...(label !== undefined && { label }),
      }
      this.#learn(child, { ...named, at: task.startedAt ?? 0, source, about })
    }
  }

  /** SPEC L4. A session just named takes over what was seen in its folder without a name. */
  #adopt(id: string, signal: Signal, touched: Set<string>): void {
    const { folder, session } = signal.about
    if (folder === undefined || session === undefined || this.#facts.get(id)?.process) return
    const there = [...this.#folderOf(folder)].filter((other) => other !== id)
    const standIns = there.filter((other) => this.#unnamed.has(other))
    const [standIn] = standIns
    if (standIn !== undefined && standIns.length === 1) {
      this.#absorb(standIn, id, touched)
      return
    }
    if (signal.kind !== 'opened' || signal.how !== 'clear') return
    const open = there.filter((other) => this.#isOpen(other))
    const process = open.length === 1 ? this.#facts.get(open[0] as string)?.process : undefined
    if (!process) return
    this.#hold(process.pid, id, signal, touched)
    this.#learn(id, {
      ...signal,
      kind: 'process',
      alive: true,
      about: { ...signal.about, ...process },
    })
  }

  /** Whom a signal is about that names no session. */
  #find(signal: Signal): string | undefined {
    const { pid, pane, folder } = signal.about
    const held =
      pid !== undefined
        ? this.#pids.get(pid)
        : pane !== undefined
          ? this.#panes.get(pane)
          : undefined
    if (held) return held.session
    if (signal.kind === 'process') {
      if (!signal.alive || folder === undefined || pid === undefined) return undefined
      return this.#inFolder(folder, signal.at) ?? this.#standIn(`process:${pid}`)
    }
    if (pane === undefined || signal.kind !== 'screen' || signal.shows === 'nothing')
      return undefined
    const id = this.#onlyPaneless() ?? this.#standIn(SCREEN + pane)
    this.#panes.set(pane, { session: id, at: signal.at })
    this.#paneless.delete(id)
    return id
  }

  /** SPEC L4. The session of a folder that lacks a process: open, or ended a moment ago. */
  #inFolder(folder: string, at: number): string | undefined {
    const there = [...this.#folderOf(folder)]
    const open = there.filter((id) => this.#isOpen(id) && !this.#facts.get(id)?.process)
    if (open.length > 0) return open.length === 1 ? open[0] : undefined
    const ended = there
      .map((id) => ({ id, since: this.#closedAt(id) ?? 0 }))
      .filter(({ since }) => since > at - RESUME_GUESS_MS)
      .sort((a, b) => b.since - a.since)
    return ended[0]?.id
  }

  /** SPEC L6. One screen without a session, one session without a screen: they are the same. */
  #pairUp(touched: Set<string>): void {
    const screens = [...this.#unnamed.keys()].filter(isScreen)
    const [screen] = screens
    if (screen === undefined || screens.length !== 1) return
    const id = this.#onlyPaneless()
    if (id !== undefined && id !== screen) this.#absorb(screen, id, touched)
  }

  #onlyPaneless(): string | undefined {
    if (this.#paneless.size !== 1) return undefined
    const [id] = this.#paneless
    return id !== undefined && this.#isOpen(id) ? id : undefined
  }

  #standIn(id: string): string {
    if (!this.#unnamed.has(id) && this.#unnamed.size < SESSIONS_MAX)
      this.#unnamed.set(id, new Map())
    return id
  }

  /** The stand-in was this session all along: it gets what was seen, and its lineage. */
  #absorb(standIn: string, id: string, touched: Set<string>): void {
    const seen = [...(this.#unnamed.get(standIn)?.values() ?? [])].slice(-UNNAMED_SIGNALS_MAX)
    this.#forget(standIn)
    for (const signal of seen) {
      if (signal.about.pid !== undefined && this.#pids.get(signal.about.pid)?.session !== id)
        this.#pids.set(signal.about.pid, { session: id, at: signal.at })
      this.#learn(id, signal)
    }
    this.#movePanes(standIn, id)
    touched.add(id)
    touched.delete(standIn)
  }

  #movePanes(from: string, to: string): void {
    for (const [pane, held] of this.#panes)
      if (held.session === from) {
        this.#panes.set(pane, { session: to, at: held.at })
        this.#paneless.delete(to)
      }
  }

  #isOpen(id: string): boolean {
    return this.#closedAt(id) === undefined
  }

  #closedAt(id: string): number | undefined {
    const facts = this.#facts.get(id)
    return facts ? closed(facts, Number.POSITIVE_INFINITY)?.since : 0
  }

  #folderOf(folder: string): Set<string> {
    let set = this.#folders.get(folder)
    if (!set) {
      set = new Set()
      this.#folders.set(folder, set)
    }
    return set
  }

  /** SPEC F1. The session that has been here longest among the closed goes. */
  #forgetOne(): void {
    for (const id of this.#facts.keys())
      if (!this.#isOpen(id)) {
        this.#forget(id)
        return
      }
  }

  #forget(id: string): void {
    this.#facts.delete(id)
    this.#unnamed.delete(id)
    this.#paneless.delete(id)
    this.lineages.forget(id)
    for (const [folder, set] of this.#folders) {
      set.delete(id)
      if (set.size === 0) this.#folders.delete(folder)
    }
  }
}
