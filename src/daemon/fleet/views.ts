import { ownServerPermissions } from '../../fleet/nats/server-permissions.ts'
import type { Session } from '../../protocol/session.ts'
import type { ForwardedRequest } from '../api/elsewhere.ts'
import { Problem } from '../problem.ts'
import type { FleetConnection } from './connection.ts'
import type { FleetParts } from './service.ts'
import { FLEET_REFUSALS, fleetViewOf } from './shown.ts'

/** What this machine knows of the others while it is in a fleet, and how it asks them. */
export abstract class FleetViews {
  protected connection: FleetConnection | undefined
  readonly #parts: FleetParts

  constructor(parts: FleetParts) {
    this.#parts = parts
  }

  rows(): readonly Session[] {
    const { remote } = this.#parts
    return [...remote.ids()].flatMap((address) => remote.row(address) ?? [])
  }

  machines() {
    return this.connection?.link?.remote.machines() ?? []
  }

  knows(machine: string): boolean {
    return this.connection?.membership.isMember(machine) ?? false
  }

  aheadMs(machine: string): number {
    return this.connection?.link?.aheadMs(machine) ?? 0
  }

  async forward(request: ForwardedRequest, signal: AbortSignal) {
    const link = this.connection?.link
    if (!link) throw new Problem(503, FLEET_REFUSALS.noFleet)
    return link.forward(request, this.aheadMs(request.machine), signal)
  }

  /** SPEC FL78. */
  async permissions(machine = this.#parts.machine) {
    const { state, roster } = this.present().membership
    const isFounder = machine === roster.founder
    const { publish, subscribe } = ownServerPermissions(state.fleet, machine, isFounder)
    return { publish: [...publish], subscribe: [...subscribe] }
  }

  view() {
    return fleetViewOf(this.connection, this.#parts.own, this.#parts.troubles.list())
  }

  protected present(): FleetConnection {
    if (this.connection) return this.connection
    throw new Problem(409, FLEET_REFUSALS.noFleet)
  }
}
