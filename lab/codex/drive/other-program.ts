import { server } from '../../../src/agents/codex/server-talk.ts'
import { UnixWebSocket } from '../../../src/sources/servers/socket.ts'
import type { Place } from '../../drive/place.ts'
import { until } from '../../until.ts'
import { codexHome } from './hooks.ts'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly turn?: { readonly id?: string } }
}

/** Another program that talks to the client's daemon: it sees requests, and may answer them. */
export class OtherProgram {
  readonly #socket: UnixWebSocket
  readonly #heard: Message[] = []
  #isOpen = false
  #sent = 0

  constructor(place: Place) {
    this.#socket = new UnixWebSocket(server.socketOf(codexHome(place)), {
      onOpen: () => {
        this.#isOpen = true
      },
      onText: (text) => this.#heard.push(JSON.parse(text)),
      onEnd: () => {
        this.#isOpen = false
      },
    })
  }

  /** Connects, and subscribes to a thread. */
  async follow(thread: string): Promise<void> {
    await until('the daemon to answer', () => this.#isOpen)
    const clientInfo = { name: 'other', title: null, version: '1' }
    await this.ask('initialize', { clientInfo, capabilities: { experimentalApi: true } })
    this.#socket.send(JSON.stringify({ method: 'initialized' }))
    await this.ask('thread/resume', { threadId: thread, excludeTurns: true })
  }

  async ask(method: string, params: object): Promise<void> {
    this.#sent += 1
    const id = `other-${this.#sent}`
    this.#socket.send(JSON.stringify({ id, method, params }))
    await until(`an answer to ${method}`, () => this.#heard.some((heard) => heard.id === id))
  }

  /** Answers the last request of the daemon. */
  answer(decision: string): void {
    const request = this.#heard.findLast(({ id, method }) => id !== undefined && method)
    if (!request) throw new Error('the daemon asked nothing')
    this.#socket.send(JSON.stringify({ id: request.id, result: { decision } }))
  }

  get turn(): string | undefined {
    const started = this.#heard.findLast(({ method }) => method === 'turn/started')
    return started?.params?.turn?.id
  }

  close(): void {
    this.#socket.close()
  }
}
