import { agentOf } from '../../agents/index.ts'
import type { SurfaceContext } from '../../client/surface-context.ts'
import type { Source } from '../../core/signal.ts'
import { terminalOf } from '../../platform/process-terminal.ts'
import type { Session } from '../../protocol/session.ts'
import { ScreenSource, type WatchedPane } from '../../sources/screens.ts'
import type { TmuxServer } from '../../tmux/server.ts'
import type { Seen } from './reading.ts'

/** Knows the panes of a server, and reads them again on request. */
export interface PaneReader {
  readonly seen: Seen | undefined
  look(): void
}

export interface PanePlace {
  readonly server: TmuxServer
  readonly painter: PaneReader
}

/** Sources in which a client reports its own state, dialogs included. A title has only turns. */
const OWN_WORD: ReadonlySet<Source | undefined> = new Set(['registry', 'server'])

/** Most users answer soon; an answer that comes later is seen within a second. */
const ANSWERS_WITHIN_MS = 120_000

/**
 * Finds the panes of agents that do not report their own state at the moment, and has their screens
 * read; also of agents that put their state into the terminal's title, and has the titles read.
 */
export class ScreenWatch {
  readonly #context: Pick<SurfaceContext, 'statusFrom' | 'take'>
  readonly #sources = new Map<TmuxServer, ScreenSource>()
  readonly #ttys = new Map<number, string | undefined>()
  #places: readonly PanePlace[] = []
  #wanted: readonly WatchedPane[] = []
  #isFinding = false
  #closed = false

  constructor(context: Pick<SurfaceContext, 'statusFrom' | 'take'>) {
    this.#context = context
  }

  /** Sessions or windows have changed; `isOn`: screens may be read. */
  update(sessions: readonly Session[], places: readonly PanePlace[], isOn: boolean): void {
    this.#places = places
    this.#wanted = sessions.flatMap((session) => this.wantedOf(session, isOn) ?? [])
    if (!this.#isFinding) void this.#findAll()
  }

  close(): void {
    this.#closed = true
    for (const source of this.#sources.values()) source.close()
  }

  /** Whether its screen has what no other source has. */
  isUnspoken(session: Session): boolean {
    return this.wantedOf(session, true)?.screen === true
  }

  /** What is to be read of its pane; undefined: nothing. */
  wantedOf(session: Session, isOn: boolean): WatchedPane | undefined {
    const { agent, pid } = session
    const { readScreen, readTitle, screenTellsMore } = agentOf(agent) ?? {}
    if (pid === null) return undefined
    const isSilent = this.#isSilent(session)
    const screen = isOn && readScreen !== undefined && (screenTellsMore || isSilent)
    const title = readTitle !== undefined
    const isAnswered = isSilent && session.state === 'waiting'
    const soonUntil = isAnswered ? session.since + ANSWERS_WITHIN_MS : 0
    return screen || title ? { agent, pid, screen, title, soonUntil } : undefined
  }

  /**
   * Hooks are not enough: older clients have none for a permission dialog, and no client has one
   * for Esc.
   */
  #isSilent({ id }: Session): boolean {
    return !OWN_WORD.has(this.#context.statusFrom(id))
  }

  /** Including those that arrived meanwhile. */
  async #findAll(): Promise<void> {
    this.#isFinding = true
    for (let wanted: readonly WatchedPane[] | undefined; wanted !== this.#wanted; ) {
      wanted = this.#wanted
      await this.#find(wanted)
    }
    this.#isFinding = false
  }

  async #find(wanted: readonly WatchedPane[]): Promise<void> {
    const pids = wanted.map(({ pid }) => pid)
    const unknown = pids.filter((pid) => !this.#ttys.has(pid))
    const found = await Promise.all(unknown.map(async (pid) => (await terminalOf(pid))?.tty))
    for (const pid of this.#ttys.keys()) if (!pids.includes(pid)) this.#ttys.delete(pid)
    for (const [i, pid] of unknown.entries()) this.#ttys.set(pid, found[i])
    // Its pane may be newer than the last read of its server. A terminal that is listed proves
    // nothing: the system gives that of a closed pane to the next one.
    const isNew = found.some((tty) => tty !== undefined)
    if (isNew) for (const { painter } of this.#places) painter.look()
    const byTty = new Map<string, WatchedPane>()
    for (const pane of wanted) {
      const tty = this.#ttys.get(pane.pid)
      if (tty === undefined) continue
      // Of several in one terminal all but one are stopped, and the screen is not theirs.
      const isShown = !byTty.has(tty) || (await terminalOf(pane.pid))?.inFront
      if (isShown) byTty.set(tty, pane)
    }
    this.#show(byTty)
  }

  #show(byTty: ReadonlyMap<string, WatchedPane>): void {
    // Closed while terminals were looked for: a source made here would read on for ever.
    if (this.#closed) return
    for (const { server, painter } of this.#places) {
      // While its panes are listed again, those that were found stay watched.
      if (painter.seen === undefined) continue
      const panes = [...painter.seen.panes.values()].flatMap(({ id, tty }) => {
        const pane = byTty.get(tty)
        return pane === undefined ? [] : [[id, pane] as const]
      })
      if (panes.length > 0 || this.#sources.has(server)) this.#at(server).watch(new Map(panes))
    }
    const servers = new Set(this.#places.map(({ server }) => server))
    for (const [server, source] of this.#sources)
      if (!servers.has(server)) {
        source.close()
        this.#sources.delete(server)
      }
  }

  #at(server: TmuxServer): ScreenSource {
    const known = this.#sources.get(server)
    if (known) return known
    const source = new ScreenSource({ server, sink: this.#context.take, now: Date.now })
    server.listen({
      onNotice: (name, rest) => source.onNotice(name, rest),
      onAttached: () => source.onAttached(),
      onDetached: () => source.onDetached(),
    })
    this.#sources.set(server, source)
    return source
  }
}
