import { randomUUID } from 'node:crypto'
import type { ServerAct, ServerRequest } from '../../agents/servers.ts'
import type { ServerRequests, ServerSource } from '../../sources/servers/servers.ts'
import { Listeners } from '../listeners.ts'

export interface AskedByServer {
  readonly agent: string
  readonly request: ServerRequest & { readonly at: number }
}

/** The servers of all agents on this machine: their requests, and acts of the user on them. */
export class AgentServers {
  readonly asked = new Listeners<AskedByServer>()
  readonly over = new Listeners<{ readonly id: string; readonly how: string }>()
  readonly #sources = new Set<Pick<ServerSource, 'act' | 'holds'>>()

  add(source: Pick<ServerSource, 'act' | 'holds'>): void {
    this.#sources.add(source)
  }

  /** Where the requests of an agent's servers go. */
  requestsOf(agent: string): ServerRequests {
    return {
      asked: (request) => this.asked.emit({ agent, request }),
      over: (id, how) => this.over.emit({ id, how }),
    }
  }

  holds(session: string): boolean {
    return [...this.#sources].some((source) => source.holds(session))
  }

  /** SPEC CX45. A prompt through the server that holds the session; resolves with why not. */
  prompt(session: string, text: string, queue: boolean): Promise<string | undefined> {
    return this.act({ kind: 'prompt', session, text, queue, name: randomUUID() })
  }

  interrupt(session: string): Promise<string | undefined> {
    return this.act({ kind: 'interrupt', session })
  }

  /** Resolves with why it was not done. */
  async act(act: ServerAct): Promise<string | undefined> {
    for (const source of this.#sources) {
      const done = source.act(act)
      if (done) return await done
    }
    return 'its server is gone'
  }
}
