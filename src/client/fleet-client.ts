import type { Right } from '../protocol/constants.ts'
import type {
  FleetInvite,
  FleetInvited,
  FleetJoin,
  FleetJoined,
  FleetPermissions,
  FleetServe,
  FleetServed,
  FleetView,
} from '../protocol/fleet.ts'
import { queryOf } from './ask.ts'
import { ClientCalls } from './client-calls.ts'

/** What concerns the machines of a fleet. */
export abstract class FleetClient extends ClientCalls {
  fleet(): Promise<FleetView> {
    return this.read('/v1/fleet')
  }

  fleetPermissions(machine?: string): Promise<FleetPermissions> {
    return this.read(`/v1/fleet/permissions${queryOf({ machine })}`)
  }

  serveFleet(wanted: FleetServe): Promise<FleetServed> {
    return this.sendSlowly('/v1/fleet/serve', wanted)
  }

  inviteToFleet(wanted: FleetInvite): Promise<FleetInvited> {
    return this.sendSlowly('/v1/fleet/invite', wanted)
  }

  joinFleet(wanted: FleetJoin): Promise<FleetJoined> {
    return this.sendSlowly('/v1/fleet/join', wanted)
  }

  async allowInFleet(machine: string, right: Right): Promise<void> {
    await this.send('/v1/fleet/allow', { machine, right })
  }

  async removeFromFleet(machine: string): Promise<void> {
    await this.sendSlowly('/v1/fleet/remove', { machine })
  }

  async leaveFleet(): Promise<void> {
    await this.sendSlowly('/v1/fleet/leave', {})
  }
}
