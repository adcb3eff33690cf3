import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import {
  type FleetState,
  hasFleetState,
  readFleetState,
  removeFleetState,
  writeFleetState,
} from '../../fleet/state.ts'
import type { AdminPolicy } from '../../home/policy.ts'
import type { Right } from '../../protocol/constants.ts'
import type { FleetInvite, FleetJoin, FleetServe, FleetServed } from '../../protocol/fleet.ts'
import type { Fleet } from '../daemon-api.ts'
import { Problem } from '../problem.ts'
import type { ActRecorder } from '../requests/shapes.ts'
import { type ConnectionParts, FleetConnection } from './connection.ts'
import { foundedOnOwn, servedState } from './founding.ts'
import type { IncomingParts } from './incoming.ts'
import { addInvite } from './invites.ts'
import { joinedState } from './joining.ts'
import type { RemoteList } from './remote-list.ts'
import { FLEET_REFUSALS, FORBIDDEN_REPLY, worded } from './shown.ts'
import { FleetViews } from './views.ts'

type Own = 'app' | 'run' | 'startedAt' | 'onRoster' | 'onJoined' | 'onLink' | 'onBeat'

/** How long an administrator's change may wait where nothing else happens. */
const AGAIN_MS = 10_000

export interface FleetParts extends Omit<ConnectionParts, Own> {
  readonly machine: string
  readonly remote: RemoteList
  readonly acts: ActRecorder
  readonly policy: Pick<AdminPolicy, 'allows'>
}

/** SPEC FL143–FL149. Founds, joins and leaves a fleet, and connects again at every start. */
export class FleetService extends FleetViews implements Fleet {
  readonly #parts: FleetParts
  readonly #run = randomBytes(9).toString('base64url')
  readonly #startedAt: number
  #app: IncomingParts['app'] | undefined
  #again: NodeJS.Timeout | undefined

  constructor(parts: FleetParts) {
    super(parts)
    this.#parts = parts
    this.#startedAt = parts.now()
  }

  /** A machine in no fleet loads nothing and opens nothing. */
  async start(app: IncomingParts['app']): Promise<void> {
    this.#app = app
    const { folders, machine, troubles } = this.#parts
    try {
      const state = readFleetState(folders, machine)
      if (!state) return
      if (!this.#isAllowed()) return this.#suspend()
      troubles.set('fleet', undefined)
      await this.#connect(state).open({ isFirst: false })
    } catch (error) {
      troubles.set('fleet', (error as Error).message)
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#again)
    await this.connection?.close()
  }

  /** SPEC FL180. The machine stays a member: the administrator may allow it again. */
  #suspend(): void {
    const connection = this.connection
    this.#forget()
    void connection?.close()
    this.#parts.troubles.set('fleet', FLEET_REFUSALS.forbidden)
    const app = this.#app
    clearTimeout(this.#again)
    if (app) this.#again = setTimeout(() => void this.start(app), AGAIN_MS).unref()
  }

  async serve(wanted: FleetServe): Promise<FleetServed> {
    await this.#mustBeFree()
    const { folders, machine, now } = this.#parts
    const { state, notes } = await servedState(wanted, folders.data, machine, now())
    const connection = await this.#begin(state)
    this.#note(`founded the fleet ${state.fleet} on ${wanted.listen}`)
    const config = connection.server?.config ?? ''
    const { fleet, urls, tls } = state
    return { fleet, config, urls, tls: tls !== null, notes }
  }

  async invite({ lookOnly, expiresMs }: FleetInvite) {
    const { membership, server } = this.#founded('invites machines')
    const invited = addInvite(membership, { lookOnly, expiresMs }, this.#parts.now())
    await server?.reload(membership)
    this.#note(`invited a machine${lookOnly ? ', to look at it only' : ''}`)
    return invited
  }

  async join({ line, servers, creds, ca, allowOldServer }: FleetJoin) {
    await this.#mustBeFree()
    const { machine, now } = this.#parts
    const self = { machine, name: hostname(), now: now(), creds, allowOldServer }
    if (line === null && servers.length === 0) throw new Problem(400, FLEET_REFUSALS.noLine)
    const joining =
      line === null ? foundedOnOwn(self, servers, ca) : joinedState({ ...self, line, servers })
    const state = await worded(joining)
    const { membership } = await this.#begin(state)
    this.#note(`joined the fleet ${state.fleet}`)
    const { founder, members } = membership.roster
    return { fleet: state.fleet, founder: membership.nameOf(founder), machines: members.length }
  }

  allow(text: string, right: Right): void {
    const { membership, link } = this.present()
    const { machine, name } = membership.mustFind(text)
    if (machine === this.#parts.machine) throw new Problem(409, 'machine: is this one')
    this.#note(`allowed ${name}, machine ${machine}: ${right}`)
    membership.change({ rights: { ...membership.state.rights, [machine]: right } })
    link?.rightsChanged()
    this.#parts.onMachine()
  }

  /** SPEC FL147. */
  async remove(text: string, by?: string): Promise<void> {
    const connection = this.#founded('removes machines')
    const { machine, name } = connection.membership.mustFind(text)
    if (machine === this.#parts.machine)
      throw new Problem(409, 'machine: is this one; `vigil fleet leave` ends the fleet')
    this.#note(`removed ${name}, machine ${machine}, from the fleet`, by)
    await worded(connection.removeMember(machine))
  }

  async leave(): Promise<void> {
    const connection = this.connection
    const { folders } = this.#parts
    // A damaged file keeps a machine out of its fleet, and leaving removes it.
    if (!connection && !hasFleetState(folders)) throw new Problem(409, FLEET_REFUSALS.noFleet)
    const membership = connection?.membership
    const others = (membership?.roster.members.length ?? 1) - 1
    if (membership?.state.isFounder && others > 0)
      throw new Problem(409, `this machine founded the fleet: remove ${theOther(others)} first`)
    if (membership) this.#note(`left the fleet ${membership.state.fleet}`)
    await connection?.leave()
    removeFleetState(folders)
    this.#forget()
  }

  #forget(): void {
    const { remote, onRemoteRows, onMachine, troubles } = this.#parts
    const addresses = [...remote.ids()]
    remote.follow(undefined)
    this.connection = undefined
    onRemoteRows(addresses)
    for (const about of TROUBLES) troubles.set(about, undefined)
    onMachine()
  }

  async #begin(state: FleetState): Promise<FleetConnection> {
    const { folders } = this.#parts
    writeFleetState(folders, state)
    const connection = this.#connect(state)
    try {
      await worded(connection.open({ isFirst: true }))
      return connection
    } catch (error) {
      await connection.close({ isLeaving: true }).catch(() => {})
      removeFleetState(folders)
      this.#forget()
      throw error
    }
  }

  #connect(state: FleetState): FleetConnection {
    const app = this.#app
    if (!app) throw new Error('the API is not ready')
    const connection = new FleetConnection(state, {
      ...this.#parts,
      app: async (request, member) => (this.#isAllowed() ? app(request, member) : FORBIDDEN_REPLY),
      onBeat: () => {
        if (!this.#isAllowed()) this.#suspend()
      },
      run: this.#run,
      startedAt: this.#startedAt,
      onRoster: () => this.#rosterChanged(connection),
      onJoined: (name) => this.#note(`${name} joined the fleet`),
      onLink: (link) => this.#parts.remote.follow(link.remote),
    })
    this.connection = connection
    return connection
  }

  /** SPEC FL147. A machine that was removed keeps nothing of the fleet. */
  #rosterChanged(connection: FleetConnection): void {
    const { machine, folders, troubles } = this.#parts
    if (connection.membership.isMember(machine)) return
    this.#note('this machine was removed from its fleet')
    removeFleetState(folders)
    this.#forget()
    troubles.set('fleet', 'this machine was removed from its fleet')
    void connection.close()
  }

  #founded(does: string): FleetConnection {
    const connection = this.present()
    connection.membership.mustBeFounder(does)
    return connection
  }

  /** Also where a fleet's file is there and this machine is not connected: it stays a member. */
  async #mustBeFree(): Promise<void> {
    this.#mustBeAllowed()
    const { folders, machine } = this.#parts
    const state = await worded((async () => readFleetState(folders, machine))())
    if (this.connection || state) throw new Problem(409, FLEET_REFUSALS.inFleet)
  }

  #isAllowed(): boolean {
    return this.#parts.policy.allows('fleet')
  }

  #mustBeAllowed(): void {
    if (!this.#isAllowed()) throw new Problem(409, FLEET_REFUSALS.forbidden)
  }

  #note(words: string, who = 'the user, over the socket'): void {
    this.#parts.acts.note({ session: '', what: 'fleet', who, where: 'daemon', words })
  }
}

function theOther(count: number): string {
  return count === 1 ? 'the other machine' : `the other ${count} machines`
}

const TROUBLES = ['fleet', 'fleet server', 'fleet clone', 'fleet rows', 'fleet bucket']
