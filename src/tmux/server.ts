import { ControlClient, isOwnClient } from './control.ts'
import { runTmux } from './tmux.ts'

/** Who was thrown out comes back, less and less soon. */
const AGAIN_FIRST_MS = 50
const AGAIN_MAX_MS = 5_000

export interface ServerListener {
  /** A notice of the server's: `window-renamed`, `@3 logs`. */
  readonly onNotice: (name: string, rest: string) => void
  /** From here on notices come; what happened before was not told. */
  readonly onAttached: () => void
}

/**
 * One tmux server. While somebody looks at it, one control-mode client of ours is attached too and
 * hears what happens. While nobody does, none is: an attached client would show in `tmux ls`, and
 * `tmux attach` prefers a session that nobody is attached to. Commands then run on their own.
 */
export class TmuxServer {
  readonly socket: string
  readonly #listeners = new Set<ServerListener>()
  #control: ControlClient | undefined
  #looking: Promise<void> | undefined
  #lookAgain = false
  #waitMs = AGAIN_FIRST_MS
  #timer: NodeJS.Timeout | undefined
  #inLine: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(socket: string) {
    this.socket = socket
  }

  get attached(): boolean {
    return this.#control !== undefined
  }

  /** The process by which we are attached: no user of the server. */
  get ownPid(): number | undefined {
    return this.#control?.pid
  }

  listen(listener: ServerListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Command lines are done one after the other, in the order they were asked for. */
  ask(line: string): Promise<readonly string[]> {
    if (this.#control) return this.#control.ask(line)
    const answer = this.#inLine.then(() => runTmux(this.socket, line))
    this.#inLine = answer.catch(() => {})
    return answer
  }

  /** Somebody may have come or gone: attach, or leave. */
  look(): void {
    if (this.#closed) return
    this.#lookAgain = true
    this.#looking ??= this.#lookAtClients().finally(() => {
      this.#looking = undefined
    })
  }

  /** Done once it is known whether somebody is attached. */
  async settled(): Promise<void> {
    while (this.#looking) await this.#looking
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#listeners.clear()
    this.#leave()
  }

  async #lookAtClients(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false
      const sessions = await this.#sessions().catch(() => undefined)
      const [session] = sessions?.others ?? []
      if (session === undefined) this.#leave()
      else if (this.#closed) return
      else if (!this.#control) await this.#attach(session)
      else if (!sessions?.others.has(sessions.own)) await this.#follow(session)
    }
  }

  /** Sessions that somebody else is attached to: there one more client changes nothing. */
  async #sessions(): Promise<{ readonly own: string; readonly others: ReadonlySet<string> }> {
    const lines = await this.ask("list-clients -F '#{client_pid} #{session_id}'")
    const clients = lines.map((line) => line.split(' '))
    const isOwn = ([pid]: readonly string[]) => pid === String(this.#control?.pid)
    const others = clients
      .filter(([pid]) => !isOwnClient(Number(pid)))
      .flatMap(([, session]) => session || [])
    return { own: clients.find(isOwn)?.[1] ?? '', others: new Set(others) }
  }

  /** The people have gone to another session: in the one they left we would be alone. */
  async #follow(session: string): Promise<void> {
    await this.ask(`switch-client -E -t '${session}'`).catch(() => {})
  }

  async #attach(session: string): Promise<void> {
    const control = new ControlClient(this.socket, session, {
      onNotice: (name, rest) => this.#hear(name, rest),
      onEnd: () => this.#lost(control),
    })
    this.#control = control
    // Never an empty line: it would detach us.
    const isThere = await control.ask('start-server').then(
      () => true,
      () => false,
    )
    if (!isThere || this.#control !== control) return
    this.#waitMs = AGAIN_FIRST_MS
    // Where the people went before it was attached, nothing told.
    this.#lookAgain = true
    for (const { onAttached } of this.#listeners) onAttached()
  }

  #hear(name: string, rest: string): void {
    if (name === 'client-detached' || name === 'client-session-changed') this.look()
    for (const { onNotice } of this.#listeners) onNotice(name, rest)
  }

  /** The session it was attached to has ended, or somebody detached all clients but his own. */
  #lost(control: ControlClient): void {
    if (this.#control !== control) return
    this.#control = undefined
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.look(), this.#waitMs)
    this.#timer.unref()
    this.#waitMs = Math.min(this.#waitMs * 2, AGAIN_MAX_MS)
  }

  #leave(): void {
    const control = this.#control
    this.#control = undefined
    control?.close()
  }
}
