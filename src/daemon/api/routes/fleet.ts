import * as schemas from '../../../protocol/fleet.ts'
import { done, nothing } from '../../../protocol/schema.ts'
import type { Fleet } from '../../daemon-api.ts'
import { Problem } from '../../problem.ts'
import { type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'

/** SPEC FL125. Which machines may see this one and act on it is decided over the socket alone. */
export function fleetRoutes({ api: { fleet } }: RouteContext): readonly Route[] {
  return [...beginning(fleet), ...deciding(fleet), ...ending(fleet)]
}

function beginning(fleet: Fleet): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/fleet',
      summary: 'The machines of the fleet.',
      answer: schemas.fleetView,
      handle: () => fleet.view(),
    }),
    route({
      method: 'get',
      path: '/v1/fleet/permissions',
      summary: 'What the user of a machine needs on a NATS server that vigil did not set up.',
      access: 'socket',
      query: schemas.fleetPermissionsQuery,
      also: [409],
      answer: schemas.fleetPermissions,
      handle: ({ query }) => fleet.permissions(query.machine),
    }),
    route({
      method: 'post',
      path: '/v1/fleet/serve',
      summary: 'Begins a fleet, with a NATS server on this machine.',
      access: 'socket',
      body: schemas.fleetServe,
      also: [409, 503],
      answer: schemas.fleetServed,
      handle: ({ body }) => fleet.serve(body),
    }),
    route({
      method: 'post',
      path: '/v1/fleet/invite',
      summary: 'Makes a line that lets one machine join, once.',
      access: 'socket',
      body: schemas.fleetInvite,
      also: [409, 503],
      answer: schemas.fleetInvited,
      handle: ({ body }) => fleet.invite(body),
    }),
    route({
      method: 'post',
      path: '/v1/fleet/join',
      summary: 'Joins a fleet by a line; without one, begins a fleet on an existing server.',
      access: 'socket',
      body: schemas.fleetJoin,
      also: [409, 503],
      answer: schemas.fleetJoined,
      handle: ({ body }) => fleet.join(body),
    }),
  ]
}

function deciding(fleet: Fleet): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/fleet/allow',
      summary: 'Says what another machine may do on this one.',
      access: 'socket',
      body: schemas.fleetAllow,
      also: [404, 409],
      answer: done,
      handle: ({ body }) => did(fleet.allow(body.machine, body.right)),
    }),
    route({
      method: 'post',
      path: '/v1/fleet/remove',
      summary: 'Removes a machine from the fleet.',
      access: 'socket',
      body: schemas.fleetRemove,
      also: [404, 409, 503],
      answer: done,
      handle: ({ body }) => did(fleet.remove(body.machine)),
    }),
  ]
}

function ending(fleet: Fleet): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/fleet/left',
      summary: 'For a machine that leaves: the founder takes it out of its list.',
      // No other caller has a machine to take out.
      access: 'socket',
      afar: 'nothing',
      body: nothing,
      also: [409, 503],
      answer: done,
      handle: ({ caller }) => {
        if (caller.kind !== 'member') throw new Problem(409, 'only another machine can say this')
        const { machine, name } = caller
        return did(fleet.remove(machine, `${name}, machine ${machine}`))
      },
    }),
    route({
      method: 'post',
      path: '/v1/fleet/leave',
      summary: 'Leaves the fleet, and removes what belonged to it.',
      access: 'socket',
      body: nothing,
      also: [409],
      answer: done,
      handle: () => did(fleet.leave()),
    }),
  ]
}

async function did(act: Promise<void> | void): Promise<{ readonly done: true }> {
  await act
  return { done: true }
}
