import type { SurfaceContext } from '../../client/surface-context.ts'
import type { TmuxServer } from '../../tmux/server.ts'
import { TmuxServers, type WatchFolder } from '../../tmux/servers.ts'
import { Mirror } from './mirror.ts'
import { MOVES } from './painter.ts'
import { READ, type Seen, seenIn } from './reading.ts'
import { type PaneReader, ScreenWatch } from './screen-watch.ts'

export interface AloneOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly watch: WatchFolder
  /** Whether screens may be read. */
  readonly isWanted: () => boolean
}

/**
 * SPEC TM32. Reads screens while vigil shows nothing in tmux. Reads a server only while an agent in
 * it has no better source.
 */
export class ScreensAlone {
  readonly #options: AloneOptions
  readonly #mirror: Mirror
  readonly #screens: ScreenWatch
  readonly #panes = new Map<TmuxServer, Panes>()
  #servers: TmuxServers | undefined
  #closed = false

  constructor(context: SurfaceContext, options: AloneOptions) {
    this.#options = options
    this.#screens = new ScreenWatch(context)
    this.#mirror = new Mirror(context, () => this.update())
    this.update()
  }

  /** Sessions, windows or settings have changed. */
  update(): void {
    // A server's panes may arrive later, and would begin all of it again.
    if (this.#closed) return
    const all = this.#mirror.all()
    const isOn = this.#options.isWanted()
    const unspoken = isOn ? all.filter((session) => this.#screens.isUnspoken(session)) : []
    const isNeeded = unspoken.length > 0
    if (!isNeeded) this.#leave()
    else if (!this.#servers) this.#begin()
    // A server may have its socket elsewhere: its agents name it.
    for (const { tmuxSocket } of unspoken) if (tmuxSocket !== null) this.#servers?.name(tmuxSocket)
    const places = [...this.#panes].map(([server, panes]) => ({ server, painter: panes }))
    if (isNeeded) this.#screens.update(all, places, isOn)
  }

  close(): void {
    this.#closed = true
    this.#mirror.close()
    this.#leave()
    this.#screens.close()
  }

  #begin(): void {
    const { env, watch } = this.#options
    this.#servers = new TmuxServers({
      env,
      watch,
      onServer: (server) => this.#panes.set(server, new Panes(server, () => this.update())),
      onGone: (server) => this.#panes.delete(server),
    })
  }

  #leave(): void {
    if (!this.#servers) return
    this.#panes.clear()
    this.#screens.update([], [], false)
    this.#servers.close()
    this.#servers = undefined
  }
}

/** The panes of one server, as last listed. */
class Panes implements PaneReader {
  readonly #server: TmuxServer
  readonly #onSeen: () => void
  seen: Seen | undefined

  constructor(server: TmuxServer, onSeen: () => void) {
    this.#server = server
    this.#onSeen = onSeen
    server.listen({
      onNotice: (name) => MOVES.test(name) && this.look(),
      onAttached: () => this.look(),
    })
    this.look()
  }

  look(): void {
    this.#server.ask(READ).then(
      (lines) => {
        this.seen = seenIn(lines, this.#server.ownPid)
        this.#onSeen()
      },
      // A socket without a server; a new server is found again.
      () => {},
    )
  }
}
