import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { TransportError } from '../transport.ts'
import { connectOnce, inTurn, type NatsAddress, type NatsLogin } from './connection.ts'
import { requestFault } from './faults.ts'
import { type FleetNames, inviteUser, isToken, joinInboxOf, namesOf } from './subjects.ts'

/** Replies to a machine that has an invite; undefined: no reply. */
export type ServeJoin = (invite: string, request: Uint8Array) => Promise<Uint8Array | undefined>

export interface JoinCall {
  readonly address: Omit<NatsAddress, 'login'>
  readonly fleet: string
  readonly invite: string
  readonly password: string
  /** Of a server that vigil did not set up; otherwise the invite logs in. */
  readonly login?: NatsLogin | undefined
  readonly request: Uint8Array
  readonly maxMs: number
}

const NO_INVITE =
  'this invitation: it was used, has expired, or the server is one of your own and needs ' +
  '`--creds FILE`. `vigil fleet invite` makes another.'
const NO_LOGIN = 'these credentials: is the file the one for this server?'

/** A founder answers one machine at a time; more wait at most for these. */
const JOINS_MAX = 16

/** SPEC FL75. Asks the founder to admit this machine. Throws a `TransportError`. */
export async function askToJoin(join: JoinCall): Promise<Uint8Array> {
  const { invite, password, maxMs } = join
  const names = namesOf(join.fleet)
  if (!isToken(invite)) throw new TransportError('refused', 'The invite has no id.')
  const login = join.login ?? { user: inviteUser(invite), password }
  const urls = inTurn(join.address.urls, undefined)
  const rejected = join.login ? NO_LOGIN : NO_INVITE
  const nats = await connectOnce({ ...join.address, urls, login, rejected }, joinInboxOf(invite))
  try {
    const options = { timeout: maxMs, noMux: true, reply: `${joinInboxOf(invite)}.reply` }
    return (await nats.request(`${names.join}.${invite}`, join.request, options)).data
  } catch (error) {
    const fault = requestFault(error, 'join the fleet')
    if (fault.fault !== 'disconnected') throw fault
    throw new TransportError(
      'offline',
      'The founder’s machine is not connected: start vigil there.',
    )
  } finally {
    await nats.close().catch(() => {})
  }
}

/** The founder's side, on one connection. */
export class JoinServing {
  readonly #nats: NatsConnection
  readonly #names: FleetNames
  readonly #serve: ServeJoin
  readonly #onFault: (error: unknown) => void
  readonly #subscription: Subscription
  #running = 0

  constructor(
    nats: NatsConnection,
    names: FleetNames,
    serve: ServeJoin,
    onFault: (error: unknown) => void,
  ) {
    this.#nats = nats
    this.#names = names
    this.#serve = serve
    this.#onFault = onFault
    this.#subscription = nats.subscribe(`${names.join}.*`, {
      callback: (error, message) => {
        if (error === null) this.#take(message).catch(onFault)
        else onFault(error)
      },
    })
  }

  close(): void {
    if (!this.#nats.isClosed()) this.#subscription.unsubscribe()
  }

  /** The reply goes to the invite's own inbox, whatever the message names. */
  async #take(message: Msg): Promise<void> {
    const invite = message.subject.slice(this.#names.join.length + 1)
    if (!isToken(invite) || this.#running >= JOINS_MAX) return
    this.#running += 1
    try {
      const reply = await this.#serve(invite, message.data)
      if (reply !== undefined && !this.#nats.isClosed())
        this.#nats.publish(`${joinInboxOf(invite)}.reply`, reply)
    } catch (error) {
      this.#onFault(error)
    } finally {
      this.#running -= 1
    }
  }
}
