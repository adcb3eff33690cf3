import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttachedSurface, SurfaceContext } from '../../client/surface-context.ts'
import type { Settings } from '../../home/settings.ts'
import type { Session } from '../../protocol/session.ts'
import { FolderWatch } from '../../sources/folder-watch.ts'
import type { TmuxServer } from '../../tmux/server.ts'
import { TmuxServers, type WatchFolder } from '../../tmux/servers.ts'
import type { TmuxError } from '../../tmux/tmux.ts'
import { GLYPHS } from '../../view/glyphs.ts'
import { segmentOf, summaryOf } from '../../view/summary.ts'
import { FarFigures } from './far-figures.ts'
import { Focus, isOfKeys } from './focus.ts'
import { Mirror } from './mirror.ts'
import { Painter } from './painter.ts'
import type { Seen } from './reading.ts'
import { ScreenWatch } from './screen-watch.ts'
import { ScreensAlone } from './screens-alone.ts'
import { sweep } from './sweep.ts'

type Env = Readonly<Record<string, string | undefined>>

/** tmux, while the user wants it: every server of the user shows the agents. */
export class TmuxSurface implements AttachedSurface {
  readonly #context: SurfaceContext
  readonly #env: Env
  readonly #unfollow: () => void
  /** Exists while servers show something of this vigil: marks of another vigil are left alone. */
  readonly #mark: string
  #on: Work | undefined
  #alone: ScreensAlone | undefined
  #swept: Promise<unknown> = Promise.resolve()

  constructor(context: SurfaceContext, env: Env = process.env) {
    this.#context = context
    this.#env = env
    this.#mark = join(context.folders.state, 'tmux')
    const { settings } = context
    this.#unfollow = settings.follow((changed) => this.#take(changed))
    if (!settings.now.tmux.on && existsSync(this.#mark)) this.#swept = this.#sweep()
    this.#take(settings.now)
  }

  async close(): Promise<void> {
    this.#unfollow()
    this.#alone?.close()
    await Promise.all([this.#on && this.#end(this.#on), this.#swept])
  }

  #take(settings: Settings): void {
    if (settings.tmux.on && !this.#on) {
      this.#setMark()
      this.#alone?.close()
      this.#alone = undefined
      this.#on = new Work(this.#context, this.#env, () => this.#context.settings.now.tmux)
    } else if (!settings.tmux.on && this.#on) {
      this.#swept = this.#end(this.#on)
      this.#on = undefined
    } else this.#on?.paint()
    if (this.#on) return
    if (this.#alone) this.#alone.update()
    else this.#alone = this.#screensAlone()
  }

  #screensAlone(): ScreensAlone {
    const { settings, complain } = this.#context
    const isWanted = () => settings.now.tmux.screens
    return new ScreensAlone(this.#context, {
      env: this.#env,
      watch: folderWatch(complain),
      isWanted,
    })
  }

  #setMark(): void {
    try {
      writeFileSync(this.#mark, '', { mode: 0o600 })
    } catch (error) {
      // If this daemon is killed and tmux is turned off, the next daemon will not know of the
      // changes.
      this.#context.complain('a tmux mark could not be written', {
        error: (error as Error).message,
      })
    }
  }

  async #end(work: Work): Promise<void> {
    await work.close()
    // It may have been turned on again meanwhile.
    if (!this.#on || this.#on === work) rmSync(this.#mark, { force: true })
  }

  /** An earlier daemon was killed while it was on. */
  async #sweep(): Promise<void> {
    await sweep(this.#sockets(), this.#env)
    if (!this.#on) rmSync(this.#mark, { force: true })
  }

  #sockets(): string[] {
    const { sessions } = this.#context.sessions()
    return sessions.filter(({ own }) => own).flatMap(({ tmuxSocket }) => tmuxSocket ?? [])
  }
}

function folderWatch(complain: SurfaceContext['complain']): WatchFolder {
  return (path, onChange) => {
    const onList = () => onChange(undefined)
    const watch = new FolderWatch(path, { onName: (name) => onChange(name), onList, complain })
    watch.ensure()
    return watch
  }
}

class Work {
  readonly #context: SurfaceContext
  readonly #settings: () => Settings['tmux']
  readonly #mirror: Mirror
  readonly #servers: TmuxServers
  readonly #painters = new Map<TmuxServer, Painter>()
  readonly #screens: ScreenWatch
  /** By the socket that sessions name. */
  readonly #named = new Map<string, TmuxServer | undefined>()
  readonly #far: FarFigures

  constructor(context: SurfaceContext, env: Env, settings: () => Settings['tmux']) {
    this.#context = context
    this.#settings = settings
    this.#screens = new ScreenWatch(context)
    this.#mirror = new Mirror(context, () => this.paint())
    this.#servers = new TmuxServers({
      env,
      watch: folderWatch(context.complain),
      onServer: (server) => this.#begin(server),
      onGone: (server) => this.#end(server),
    })
    this.#far = new FarFigures(context.remote, () => this.paint())
    this.paint()
  }

  paint(): void {
    for (const { tmuxSocket } of this.#mirror.all())
      if (tmuxSocket !== null && !this.#named.has(tmuxSocket)) this.#find(tmuxSocket)
    for (const painter of this.#painters.values()) painter.paint()
    this.#updateScreens()
  }

  async close(): Promise<void> {
    this.#far.close()
    this.#mirror.close()
    this.#screens.close()
    await Promise.all([...this.#painters.values()].map((painter) => painter.restore()))
    this.#servers.close()
    this.#context.trouble('tmux', undefined)
  }

  #find(socket: string): void {
    this.#named.set(socket, undefined)
    this.#named.set(socket, this.#servers.name(socket))
  }

  #begin(server: TmuxServer): void {
    this.#named.clear()
    const now = Date.now
    const focus = new Focus({
      server,
      now,
      onLook: (session) => this.#report(session, { what: 'look' }),
      onTyped: (session) => this.#report(session, { key: 'text' }),
    })
    const painter = new Painter({
      server,
      now,
      picture: () => this.#picture(server),
      onSeen: (seen: Seen) => {
        focus.see(seen, this.#sessionsIn(server))
        this.#updateScreens()
      },
      onError: (error) => this.#failed(server, error),
    })
    server.listen({
      onNotice: (name, rest) => isOfKeys(name, rest) && painter.look(),
      onAttached: () => focus.forget(),
    })
    this.#painters.set(server, painter)
  }

  #end(server: TmuxServer): void {
    this.#named.clear()
    this.#painters.delete(server)
  }

  #updateScreens(): void {
    const places = [...this.#painters].map(([server, painter]) => ({ server, painter }))
    this.#screens.update(this.#mirror.all(), places, this.#settings().screens)
  }

  #picture(server: TmuxServer) {
    const settings = this.#settings()
    const glyphs = GLYPHS[settings.glyphs]
    // SPEC FL94. The figures are of all machines.
    const all = [...this.#mirror.all(), ...this.#far.rows()]
    const segment = settings.segment ? segmentOf(summaryOf(all), glyphs) : ''
    return { sessions: this.#sessionsIn(server), segment, settings }
  }

  #sessionsIn(server: TmuxServer): readonly Session[] {
    return this.#mirror.all().filter(({ tmuxSocket }) => {
      if (tmuxSocket === null) return false
      if (!this.#named.has(tmuxSocket)) this.#find(tmuxSocket)
      return this.#named.get(tmuxSocket) === server
    })
  }

  #report({ id: session, agent }: Session, key: { what: 'look' } | { key: string }): void {
    const report = { t: Date.now(), source: 'keystroke', agent, session, ...key } as const
    this.#context.take([{ report }])
  }

  #failed({ socket }: TmuxServer, error: TmuxError): void {
    if (error.missing) this.#context.trouble('tmux', 'not installed; needed for panes only')
    else this.#context.complain('a tmux server refused a command', { socket, why: error.message })
  }
}
