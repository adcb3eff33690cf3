import type { Agent } from '../../agents/agent.ts'
import type { Said, ServerAct, ServerRequest, ServerTalk } from '../../agents/servers.ts'
import { parseJson } from '../../core/json.ts'
import type { Complain, Sink } from '../arrival.ts'
import { ownSocket } from './own-socket.ts'
import { UnixWebSocket } from './socket.ts'

/** A server comes up some seconds after its first client; later it is looked for less often. */
const RETRY_MS = 150
const RETRY_GROWTH = 1.05
const RETRY_MAX_MS = 15_000
const ACT_MS = 5_000

/** A server that hangs up sooner is not one that was restarted. */
const LASTING_MS = 1_000

/** Requests of a server, as they open and end. */
export interface ServerRequests {
  asked(request: ServerRequest & { readonly at: number }): void
  over(id: string, how: string): void
}

export interface ServerOptions {
  readonly agent: Pick<Agent, 'id' | 'server'>
  readonly sink: Sink
  readonly complain: Complain
  readonly now?: () => number
  /** How long an act may take until it counts as not done. */
  readonly actMs?: number
  /** Whether a client of the agent runs: without one no server is looked for. */
  readonly isAnyRunning: () => boolean
  readonly requests?: ServerRequests | undefined
}

/** The connections to an agent's servers, one for each of its homes. */
export class ServerSource {
  readonly #options: ServerOptions
  readonly #links = new Map<string, Link>()
  #timer: NodeJS.Timeout | undefined
  #waitMs = RETRY_MS
  #stopped = true

  constructor(options: ServerOptions) {
    this.#options = options
  }

  start(): void {
    this.#stopped = false
    this.#look()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    for (const link of this.#links.values()) link.close()
  }

  add(home: string): void {
    if (this.#links.has(home)) return
    this.#links.set(home, new Link(home, this.#options, (soon) => this.#lost(soon)))
    if (!this.#stopped) this.#look()
  }

  remove(home: string): void {
    this.#links.get(home)?.close()
    this.#links.delete(home)
  }

  /** A client was found, or a server is gone: look again soon. */
  nudge(): void {
    this.#waitMs = RETRY_MS
    this.#later()
  }

  /** SPEC S33. One that hangs up at once is looked for as rarely as one that is not there. */
  #lost(soon: boolean): void {
    if (soon) this.nudge()
    else this.#later()
  }

  /** Whether a server holds this session. */
  holds(session: string): boolean {
    return [...this.#links.values()].some((link) => link.holds(session))
  }

  /** Resolves with why it was not done; undefined where no server holds the session or request. */
  act(act: ServerAct): Promise<string | undefined> | undefined {
    for (const link of this.#links.values()) {
      const done = link.act(act)
      if (done) return done
    }
    return undefined
  }

  #look(): void {
    for (const link of this.#links.values()) link.connect()
    this.#later()
  }

  #later(): void {
    clearTimeout(this.#timer)
    const missing = [...this.#links.values()].some(({ isOpen }) => !isOpen)
    if (this.#stopped || !missing) return
    this.#timer = setTimeout(() => {
      const isAny = this.#options.isAnyRunning()
      this.#waitMs = isAny ? Math.min(this.#waitMs * RETRY_GROWTH, RETRY_MAX_MS) : RETRY_MAX_MS
      if (isAny) this.#look()
      else this.#later()
    }, this.#waitMs)
    this.#timer.unref()
  }
}

/** The connection to the server of one home. */
class Link {
  readonly #home: string
  readonly #options: ServerOptions
  readonly #onLost: (soon: boolean) => void
  readonly #threads = new Set<string>()
  readonly #requests = new Set<string>()
  readonly #acts = new Map<number, (why: string | undefined) => void>()
  #socket: UnixWebSocket | undefined
  #talk: ServerTalk | undefined
  #complained = ''
  #openedAt = 0
  isOpen = false

  constructor(home: string, options: ServerOptions, onLost: (soon: boolean) => void) {
    this.#home = home
    this.#options = options
    this.#onLost = onLost
  }

  connect(): void {
    const { agent } = this.#options
    if (this.#socket || !agent.server) return
    const { path, why } = ownSocket(agent.server.socketOf(this.#home))
    if (why) this.#complain(why)
    if (path === undefined) return
    const talk = agent.server.talk()
    this.#talk = talk
    this.#socket = new UnixWebSocket(path, {
      onOpen: () => {
        this.isOpen = true
        this.#openedAt = this.#now()
        this.#do(talk.open())
      },
      onText: (text) => this.#take(talk, text),
      onEnd: (reason) => this.#lost(reason),
    })
  }

  holds(session: string): boolean {
    return this.isOpen && this.#threads.has(session)
  }

  act(act: ServerAct): Promise<string | undefined> | undefined {
    const isOurs = act.kind === 'answer' ? this.#requests.has(act.request) : this.holds(act.session)
    if (!this.isOpen || !isOurs || !this.#talk) return undefined
    const plan = this.#talk.act(act)
    if ('why' in plan) return Promise.resolve(plan.why)
    return new Promise((resolve) => {
      const { actMs = ACT_MS } = this.#options
      const timer = setTimeout(() => this.#acted(plan.act, 'its server did not answer'), actMs)
      this.#acts.set(plan.act, (why) => {
        clearTimeout(timer)
        resolve(why)
      })
      this.#send(plan.send)
    })
  }

  close(): void {
    this.#socket?.close()
    this.#socket = undefined
    this.isOpen = false
  }

  #take(talk: ServerTalk, text: string): void {
    const message = parseJson(text)
    if (typeof message !== 'object' || message === null) {
      this.#complain('it sent no JSON')
      return
    }
    this.#do(talk.take(message))
  }

  #send(messages: readonly object[]): void {
    for (const message of messages) this.#socket?.send(JSON.stringify(message))
  }

  #acted(act: number, why: string | undefined): void {
    this.#acts.get(act)?.(why)
    this.#acts.delete(act)
  }

  #do({ send, report, asked = [], over = [], done = [] }: Said): void {
    this.#send(send)
    const { agent, sink } = this.#options
    const t = this.#now()
    for (const { thread } of report) this.#threads.add(thread)
    const reports = report.map((one) => ({ t, source: 'server' as const, agent: agent.id, ...one }))
    if (reports.length > 0) sink(reports.map((one) => ({ report: one })))
    for (const { act, why } of done) this.#acted(act, why)
    for (const id of over) this.#over(id, 'answered in its terminal')
    for (const request of asked) this.#asked(request, t)
  }

  #asked(request: ServerRequest, t: number): void {
    this.#requests.add(request.id)
    this.#options.requests?.asked({ ...request, at: Math.min(request.at ?? t, t) })
  }

  #over(id: string, how: string): void {
    this.#requests.delete(id)
    this.#options.requests?.over(id, how)
  }

  /** What the server told of its threads is no longer known to be so. */
  #lost(why: string): void {
    const wasOpen = this.isOpen
    this.close()
    for (const act of [...this.#acts.keys()]) this.#acted(act, 'the connection to its server ended')
    for (const id of [...this.#requests]) this.#over(id, 'its server is gone')
    const { agent, sink } = this.#options
    const lost = { t: this.#now(), source: 'server' as const, agent: agent.id, lost: true }
    const reports = [...this.#threads].map((thread) => ({ report: { ...lost, thread } }))
    this.#threads.clear()
    if (reports.length > 0) sink(reports)
    if (!wasOpen) this.#complain(why)
    this.#onLost(wasOpen && this.#now() - this.#openedAt >= LASTING_MS)
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }

  /** Once for each reason: it is tried again and again. */
  #complain(why: string): void {
    if (this.#complained === why) return
    this.#complained = why
    const { agent, complain } = this.#options
    complain(`the server of ${agent.id} cannot be used`, { home: this.#home, why })
  }
}
