import type { Fields } from '../../agents/read.ts'
import { canonicalJson } from '../../core/json.ts'
import type { RequestChoice } from '../../protocol/request.ts'
import { sha256 } from '../../store/chain.ts'
import { Problem } from '../problem.ts'
import type { AgentServers, AskedByServer } from './agent-servers.ts'
import { type StoredRequest, storedRequest } from './stored-request.ts'

/** No key of a hook's request begins like this: those begin with an actor. */
const SERVED = 'server|'

export function isServed({ key }: Pick<StoredRequest, 'key'>): boolean {
  return key.startsWith(SERVED)
}

/** SPEC CX42. The digest covers all that is shown and decided. */
export function servedRequest({ agent, request }: AskedByServer): StoredRequest {
  const { id: name, at, asked } = request
  const id = servedId(name)
  const spooled = { name: id, digest: sha256(canonicalJson([id, asked])) }
  return storedRequest({ id, at, key: SERVED + name, waits: false, spooled, agent, asked })
}

export function servedId(name: string): string {
  return `server:${name}`
}

/** SPEC CX40, CX42. Answers that an agent's own server takes. */
export class ServedRequests {
  readonly #servers: Pick<AgentServers, 'act'>
  readonly #answered = new Set<string>()
  readonly #now: () => number

  constructor(servers: Pick<AgentServers, 'act'>, now: () => number) {
    this.#servers = servers
    this.#now = now
  }

  /** Resolves when the server has taken it. `note` throws if it cannot be logged. */
  async answer(
    { id, key }: StoredRequest,
    { choice, word }: RequestChoice,
    output: Fields,
    note: () => void,
  ): Promise<void> {
    if (this.#answered.has(id)) throw new Problem(409, 'the request is being answered already')
    note()
    this.#answered.add(id)
    const said = choice === 'deny' ? word?.trim() : ''
    try {
      const why = await this.#servers.act({
        kind: 'answer',
        request: key.slice(SERVED.length),
        output,
        ...(said && { word: said }),
        at: this.#now(),
      })
      if (why !== undefined) throw new Problem(409, why)
    } finally {
      this.#answered.delete(id)
    }
  }
}
