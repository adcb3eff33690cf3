import type { Session } from '../../protocol/session.ts'
import type { AgentServers } from '../requests/agent-servers.ts'
import { pressInterrupt } from './press.ts'
import { typeInto } from './type-into.ts'

export type ServersForInput = Pick<AgentServers, 'prompt' | 'interrupt' | 'holds'>

/** SPEC CX45. Prompts and interrupts: through the server that holds a session, or its pane. */
export class SessionInput {
  readonly #servers: ServersForInput | undefined

  constructor(servers: ServersForInput | undefined) {
    this.#servers = servers
  }

  readonly isServed = (id: string): boolean => this.#servers?.holds(id) === true

  /** Resolves with why it was not sent. */
  readonly prompt = async (session: Session, text: string, queue = false) => {
    const { id } = session
    if (this.isServed(id)) return this.#servers?.prompt(id, text, queue)
    return typeInto(session, text, queue)
  }

  readonly interrupt = async (session: Session) => {
    const { id } = session
    return this.isServed(id) ? this.#servers?.interrupt(id) : pressInterrupt(session)
  }
}
