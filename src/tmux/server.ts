import { setTimeout as sleep } from 'node:timers/promises'
import { ControlClient, isNoUser } from './control.ts'
import { runTmux, socketAgeMs, TmuxError } from './tmux.ts'

/** The delay before the client attaches again after it was detached; it grows. */
const AGAIN_FIRST_MS = 50
const AGAIN_MAX_MS = 5_000
/** A server makes its socket first and answers a moment later, on a busy machine a long one. */
const BEGINS_MAX_MS = 2_000

const CLIENT = '#{client_pid} #{session_id} #{client_flags}'

export interface ServerListener {
  /** A notice of the server: `window-renamed`, `@3 logs`. */
  readonly onNotice: (name: string, rest: string) => void
  /** Notices arrive from now on; earlier events were missed. */
  readonly onAttached: () => void
  /** No notices arrive any more, until vigil attaches again. */
  readonly onDetached?: () => void
}

/**
 * One tmux server. While a user is attached to it, one control-mode client of vigil is attached too
 * and gets its notices. Otherwise none is: an attached client would show in `tmux ls`, and `tmux
 * attach` prefers a session without clients. Commands then run on their own.
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
  #gone: TmuxError | undefined

  constructor(socket: string) {
    this.socket = socket
  }

  get attached(): boolean {
    return this.#control !== undefined
  }

  /** The process of the control client, which is not a user of the server. */
  get ownPid(): number | undefined {
    return this.#control?.pid
  }

  listen(listener: ServerListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Runs command lines one after the other, in the order of the calls. */
  ask(line: string): Promise<readonly string[]> {
    if (this.#control) return this.#control.ask(line)
    const answer = this.#inLine.then(() => this.#run(line))
    this.#inLine = answer.catch(() => {})
    return answer
  }

  /** SPEC TM38. A socket without a server stays so: a new server makes a new socket. */
  async #run(line: string): Promise<readonly string[]> {
    if (this.#gone) throw this.#gone
    try {
      return await runTmux(this.socket, line)
    } catch (error) {
      if (!(error instanceof TmuxError && error.isGone)) throw error
      if (this.#closed || socketAgeMs(this.socket) > BEGINS_MAX_MS) {
        this.#gone = error
        throw error
      }
    }
    await sleep(AGAIN_FIRST_MS)
    return this.#run(line)
  }

  /** Users may have attached or detached: attaches or detaches the control client. */
  look(): void {
    if (this.#closed) return
    this.#lookAgain = true
    this.#looking ??= this.#lookAtClients().finally(() => {
      this.#looking = undefined
    })
  }

  /** Resolves when it is known whether a user is attached. */
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

  /** Sessions with another client attached: there one more client changes nothing. */
  async #sessions(): Promise<{ readonly own: string; readonly others: ReadonlySet<string> }> {
    const lines = await this.ask(`list-clients -F '${CLIENT}'`)
    const clients = lines.map((line) => line.split(' '))
    const isOwn = ([pid]: readonly string[]) => pid === String(this.#control?.pid)
    const others = clients
      .filter(([pid = '', , flags = '']) => !isNoUser(pid, flags))
      .flatMap(([, session]) => session || [])
    return { own: clients.find(isOwn)?.[1] ?? '', others: new Set(others) }
  }

  /** The users moved to another session: in the old one the control client would be alone. */
  async #follow(session: string): Promise<void> {
    await this.ask(`switch-client -E -t '${session}'`).catch(() => {})
  }

  async #attach(session: string): Promise<void> {
    const control = new ControlClient(this.socket, session, {
      onNotice: (name, rest) => this.#hear(name, rest),
      onEnd: () => this.#lost(control),
    })
    this.#control = control
    // Never an empty line: it would detach the client.
    const isThere = await control.ask('start-server').then(
      () => true,
      () => false,
    )
    if (!isThere || this.#control !== control) return
    this.#waitMs = AGAIN_FIRST_MS
    // No notice tells which session the users moved to before the client attached.
    this.#lookAgain = true
    for (const { onAttached } of this.#listeners) onAttached()
  }

  #hear(name: string, rest: string): void {
    if (name === 'client-detached' || name === 'client-session-changed') this.look()
    for (const { onNotice } of this.#listeners) onNotice(name, rest)
  }

  /** The client's session has ended, or a user detached all other clients. */
  #lost(control: ControlClient): void {
    if (this.#control !== control) return
    this.#control = undefined
    if (this.#closed) return
    this.#tellDetached()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.look(), this.#waitMs)
    this.#timer.unref()
    this.#waitMs = Math.min(this.#waitMs * 2, AGAIN_MAX_MS)
  }

  #leave(): void {
    const control = this.#control
    if (!control) return
    this.#control = undefined
    control.close()
    this.#tellDetached()
  }

  #tellDetached(): void {
    for (const { onDetached } of this.#listeners) onDetached?.()
  }
}
