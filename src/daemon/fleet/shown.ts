import { FleetError } from '../../fleet/errors.ts'
import { TransportError } from '../../fleet/transport.ts'
import { ownVersion } from '../../home/version.ts'
import type { FleetMachine, FleetView } from '../../protocol/fleet.ts'
import type { ApiResponse } from '../api/route.ts'
import { Problem } from '../problem.ts'
import type { FleetConnection } from './connection.ts'
import type { OwnRows } from './link-parts.ts'

const NONE: FleetView = { fleet: null, founder: false, server: null, machines: [], troubles: [] }

/** SPEC FL149. The fleet as `vigil fleet` lists it: this machine first. */
export function fleetViewOf(
  connection: FleetConnection | undefined,
  own: OwnRows,
  allTroubles: readonly string[],
): FleetView {
  const troubles = allTroubles.filter((text) => text.startsWith('fleet'))
  if (!connection) return { ...NONE, troubles }
  const { membership, link } = connection
  const { state, roster } = membership
  const remote = new Map((link?.remote.machines() ?? []).map((machine) => [machine.id, machine]))
  const machines = roster.members.map(({ machine: id, name }): FleetMachine => {
    const known = remote.get(id)
    const isOwn = id === state.machine
    return {
      ...{ id, name, own: isOwn, founder: id === roster.founder },
      online: isOwn ? (link?.state.connected ?? false) : (known?.online ?? false),
      lastHeardAt: known?.lastHeardAt ?? null,
      sessions: isOwn ? [...own.ids()].filter((id) => own.row(id)).length : (known?.sessions ?? 0),
      version: isOwn ? ownVersion() : known?.version || null,
      clockAheadMs: known ? -known.clockOffsetMs : 0,
      right: isOwn ? 'type' : membership.rightOf(id),
      troubles: known?.troubles ?? [],
    }
  })
  const { connected = false, why = null } = link?.state ?? {}
  return {
    fleet: state.fleet,
    founder: state.isFounder,
    server: { urls: state.urls, connected, why },
    machines: machines.toSorted((a, b) => Number(b.own) - Number(a.own)),
    troubles,
  }
}

/** What the user can mend is said as it is. */
export async function worded<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (error instanceof FleetError) throw new Problem(409, error.message)
    if (error instanceof TransportError) throw new Problem(503, error.message)
    throw error
  }
}

export const FLEET_REFUSALS = {
  inFleet: 'this machine belongs to a fleet; `vigil fleet leave` leaves it first',
  forbidden: 'the administrator of this machine does not allow fleets',
  noFleet: 'this machine belongs to no fleet; begin one with `vigil fleet serve`',
  noLine: 'line: expected the line that `vigil fleet invite` printed, or --server',
} as const

/** SPEC FL180. To a machine that asks anything. */
export const FORBIDDEN_REPLY: ApiResponse = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: FLEET_REFUSALS.forbidden }),
}
