import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sealRoster, withoutMember } from '../../fleet/roster.ts'
import { type FleetState, writeFleetState } from '../../fleet/state.ts'
import type { FleetTransport } from '../../fleet/transport.ts'
import type { Folders } from '../../home/folders.ts'
import { ownVersion } from '../../home/version.ts'
import type { Complain } from '../../sources/arrival.ts'
import type { Troubles } from '../troubles.ts'
import { FleetServer } from './host.ts'
import { JoinAnswers } from './invites.ts'
import { loginBy, serverAddress } from './joining.ts'
import { FleetLink } from './link.ts'
import type { LinkParts } from './link-parts.ts'
import { Membership } from './membership.ts'
import { keysOfMachine } from './roster-keeper.ts'

export interface ConnectionParts extends Pick<LinkParts, 'own' | 'app' | 'now' | 'onRemoteRows'> {
  readonly onMachine: () => void
  readonly folders: Folders
  readonly troubles: Troubles
  readonly complain: Complain
  /** Random, made when the daemon starts. */
  readonly run: string
  readonly startedAt: number
  readonly onRoster: () => void
  readonly onBeat: () => void
  readonly onJoined: (name: string) => void
  /** Before the first rows arrive. */
  readonly onLink: (link: FleetLink) => void
}

export interface ConnectOptions {
  /** An error is the user's to see; later the daemon tries again by itself. */
  readonly isFirst: boolean
}

const LEAVE_MAX_MS = 4_000
/** A server that does not answer must not keep a removed machine's key alive. */
const TELL_MAX_MS = 1_000

/** A machine's fleet while it is in one: its keys, its connection, and the server it may run. */
export class FleetConnection {
  readonly membership: Membership
  readonly #parts: ConnectionParts
  #link: FleetLink | undefined
  #server: FleetServer | undefined

  constructor(state: FleetState, parts: ConnectionParts) {
    this.#parts = parts
    const { folders, now } = parts
    const file = { write: (next: FleetState) => writeFleetState(folders, next) }
    this.membership = new Membership(state, file, now)
  }

  get link(): FleetLink | undefined {
    return this.#link
  }

  get server(): FleetServer | undefined {
    return this.#server
  }

  /** SPEC FL148. Nothing of NATS is loaded before. */
  async open({ isFirst }: ConnectOptions): Promise<void> {
    const { folders, troubles } = this.#parts
    const { state } = this.membership
    if (state.serve) {
      this.#server = new FleetServer(folders.data, (said) => troubles.set('fleet server', said))
      if (isFirst) await this.#server.start(this.membership)
      else this.#server.keep(this.membership)
    }
    const { openNatsTransport, startNatsTransport } = await import('../../fleet/nats/open.ts')
    const { urls, tls, creds, keys, fleet, machine, isFounder, allowOldServer } = state
    const options = {
      ...serverAddress(urls, tls, allowOldServer),
      login: creds === null ? { seed: new TextEncoder().encode(keys.signSeed) } : loginBy(creds),
      ...{ fleet, machine, create: isFounder },
      onFault: (error: unknown) => this.#complain(error),
    }
    const transport = isFirst ? await openNatsTransport(options) : startNatsTransport(options)
    const link = this.#linkOver(transport)
    this.#link = link
    this.#parts.onLink(link)
    if (isFounder) transport.serveJoins(this.#answers(link).serve)
    link.start()
    if (isFounder && isFirst) await link.publishRoster(Buffer.from(state.roster, 'base64url'))
  }

  /** SPEC FL141. With `isLeaving` nothing stays, in the bucket or on this machine. */
  async close({ isLeaving = false } = {}): Promise<void> {
    await this.#link?.close({ isLeaving })
    await this.#server?.stop()
    if (isLeaving) this.#server?.remove()
  }

  async removeMember(machine: string): Promise<void> {
    const { membership } = this
    const transportKeys = keysOfMachine(machine, this.#link?.remote.ids() ?? [])
    const { roster } = withoutMember(membership.roster, machine)
    const bytes = sealRoster(roster, membership.state.keys, this.#parts.now())
    membership.takeRoster(bytes)
    // It reads the list before its key is refused: else it would not learn that it was removed.
    const told = this.#link?.publishRoster(bytes) ?? Promise.resolve()
    await Promise.race([told.catch(() => {}), sleep(TELL_MAX_MS, undefined, { ref: false })])
    await this.#server?.reload(membership)
    await told
    // Nothing can be written under its key any more.
    await this.#link?.deleteKeys(transportKeys)
  }

  /** The founder takes this machine out of its list; where it is offline, its user does. */
  async leave(): Promise<void> {
    const { state, roster } = this.membership
    if (!state.isFounder) {
      const request = { method: 'POST', target: '/v1/fleet/left', body: {}, stream: false } as const
      const signal = AbortSignal.timeout(LEAVE_MAX_MS)
      const { founder } = roster
      await this.#link
        ?.forward({ ...request, machine: founder }, this.#link.aheadMs(founder), signal)
        .catch(() => {})
    }
    await this.close({ isLeaving: true })
  }

  #answers(link: FleetLink): JoinAnswers {
    const { membership } = this
    return new JoinAnswers({
      membership,
      now: this.#parts.now,
      admit: async (bytes, used) => {
        this.#server?.linger(used, membership)
        await this.#server?.reload(membership)
        await link.publishRoster(bytes)
      },
      withdraw: async (bytes) => {
        await this.#server?.reload(membership)
        await link.publishRoster(bytes)
      },
      isHeard: (machine) =>
        link.remote
          .machines()
          .some(({ id, lastHeardAt }) => id === machine && lastHeardAt !== null),
      onJoined: this.#parts.onJoined,
    })
  }

  #complain(error: unknown): void {
    this.#parts.complain('the fleet’s connection', { error: String(error) })
  }

  #linkOver(transport: FleetTransport): FleetLink {
    const { own, app, now, troubles, run, startedAt } = this.#parts
    const { onRemoteRows, onMachine, onRoster, onBeat } = this.#parts
    const about = { name: hostname(), version: ownVersion(), run, startedAt }
    return new FleetLink({
      ...{ membership: this.membership, transport, own, app, now },
      ...{ onRemoteRows, onMachine, onRoster, onBeat },
      onFault: (error) => this.#complain(error),
      about: () => ({ ...about, troubles: troubles.list() }),
      onTrouble: (part, what) => troubles.set(`fleet ${part}`, what),
    })
  }
}
