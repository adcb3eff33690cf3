import { existsSync } from 'node:fs'
import { server } from '../../../src/agents/codex/server-talk.ts'
import type { Said, ServerTalk } from '../../../src/agents/servers.ts'
import type { RecordedLine } from '../../../src/agents/truth-reader.ts'
import { UnixWebSocket } from '../../../src/sources/servers/socket.ts'
import { keptOfMessage } from './keep.ts'

/**
 * What the client's daemon tells, asked as vigil asks it. It is no truth here, but what vigil may
 * be given.
 */
export class ServerMessages {
  readonly #path: string
  readonly #threads = new Set<string>()
  #lines: RecordedLine[] = []
  #socket: UnixWebSocket | undefined

  constructor(home: string) {
    this.#path = server.socketOf(home)
  }

  look(): RecordedLine[] {
    if (!this.#socket && existsSync(this.#path)) this.#connect(server.talk())
    return this.#lines.splice(0)
  }

  #connect(talk: ServerTalk): void {
    this.#socket = new UnixWebSocket(this.#path, {
      onOpen: () => this.#do(talk.open()),
      onText: (text) => this.#do(talk.take(JSON.parse(text))),
      onEnd: () => {
        this.#socket = undefined
        const t = Date.now()
        for (const thread of this.#threads)
          this.#lines.push({ t, source: 'server', thread, lost: true })
        this.#threads.clear()
      },
    })
  }

  #do({ send, report }: Said): void {
    for (const message of send) this.#socket?.send(JSON.stringify(message))
    const t = Date.now()
    for (const { thread, message } of report) {
      this.#threads.add(thread)
      const kept = keptOfMessage(message as Record<string, unknown>)
      if (kept) this.#lines.push({ t, source: 'server', thread, message: kept })
    }
  }
}
