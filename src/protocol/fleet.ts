import { z } from 'zod'
import { FLEET_RIGHTS } from './constants.ts'
import { machineId, maybe, maybeTime, named, type TypeOf, time } from './schema.ts'

/** How the refusal begins: a command knows more of the user's PATH than the daemon. */
export const NATS_MISSING = 'nats-server is not installed.'

const right = z.enum(FLEET_RIGHTS).describe('each includes those before it')

const fleetMachine = z
  .strictObject({
    id: machineId,
    name: z.string().describe('a label: its host name'),
    own: z.boolean(),
    founder: z.boolean().describe('invites machines and removes them'),
    online: z.boolean(),
    lastHeardAt: maybeTime,
    sessions: z.number(),
    version: maybe,
    clockAheadMs: z.number().describe('how far its clock is ahead of this machine’s'),
    right: right.describe('what it may do on this machine'),
    troubles: z.array(z.string()),
  })
  .register(named, { id: 'FleetMachine' })
export type FleetMachine = TypeOf<typeof fleetMachine>

export const fleetView = z
  .strictObject({
    fleet: maybe.describe('its id; null where this machine belongs to none'),
    founder: z.boolean().describe('this machine invites and removes'),
    server: z
      .strictObject({
        urls: z.array(z.string()),
        connected: z.boolean(),
        why: maybe.describe('why it is not connected'),
      })
      .nullable(),
    machines: z.array(fleetMachine),
    troubles: z.array(z.string()),
  })
  .register(named, { id: 'Fleet' })
export type FleetView = TypeOf<typeof fleetView>

const NAME_MAX = 253
const NAMES_MAX = 16

/** What a certificate and an address can name. */
export const SERVER_NAME = /^[\w.:-]{1,253}$/

export const fleetServe = z
  .strictObject({
    listen: z.string().max(NAME_MAX).describe('host:port that other machines can reach'),
    tls: z.boolean().default(true),
    names: z
      .array(z.string().regex(SERVER_NAME, 'expected a host name or an address'))
      .max(NAMES_MAX)
      .default([])
      .describe('host names and addresses under which other machines reach it'),
    allowOldServer: z.boolean().default(false),
  })
  .register(named, { id: 'FleetServe' })
export type FleetServe = TypeOf<typeof fleetServe>

export const fleetServed = z
  .strictObject({
    fleet: z.string(),
    config: z.string().describe('the server’s configuration file'),
    urls: z.array(z.string()),
    tls: z.boolean(),
    notes: z.array(z.string()),
  })
  .register(named, { id: 'FleetServed' })
export type FleetServed = TypeOf<typeof fleetServed>

/** A longer one would lie about in a chat for ever. */
const INVITE_MAX_MS = 7 * 24 * 3_600_000

export const fleetInvite = z
  .strictObject({
    lookOnly: z.boolean().default(false).describe('this machine may then only look there'),
    expiresMs: z.number().min(1_000).max(INVITE_MAX_MS).default(3_600_000),
  })
  .register(named, { id: 'FleetInvite' })
export type FleetInvite = TypeOf<typeof fleetInvite>

export const fleetInvited = z
  .strictObject({
    line: z.string(),
    expiresAt: time,
    ownServer: z.boolean().describe('the other machine needs its own credentials for the server'),
  })
  .register(named, { id: 'FleetInvited' })
export type FleetInvited = TypeOf<typeof fleetInvited>

const LINE_MAX = 10_000
const URLS_MAX = 8

/** With a password or a path it would stand in lists and logs. */
export const SERVER_URL = /^(nats|tls):\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?\/?$/i

export const fleetJoin = z
  .strictObject({
    line: z.string().max(LINE_MAX).nullable().default(null),
    servers: z.array(z.string().max(NAME_MAX).regex(SERVER_URL)).max(URLS_MAX).default([]),
    creds: maybe.default(null).describe('path of a credentials file for an existing server'),
    ca: maybe.default(null).describe('path of the certificate that signed that server’s'),
    allowOldServer: z.boolean().default(false),
  })
  .register(named, { id: 'FleetJoin' })
export type FleetJoin = TypeOf<typeof fleetJoin>

export const fleetJoined = z
  .strictObject({ fleet: z.string(), founder: z.string(), machines: z.number() })
  .register(named, { id: 'FleetJoined' })
export type FleetJoined = TypeOf<typeof fleetJoined>

export const fleetPermissions = z
  .strictObject({ publish: z.array(z.string()), subscribe: z.array(z.string()) })
  .register(named, { id: 'FleetPermissions' })
export type FleetPermissions = TypeOf<typeof fleetPermissions>

export const fleetPermissionsQuery = z.strictObject({
  machine: machineId.optional().describe('the machine whose user it is; this one if missing'),
})

const machineName = z.string().min(1).max(NAME_MAX).describe('its id or its name')

export const fleetAllow = z
  .strictObject({ machine: machineName, right })
  .register(named, { id: 'FleetAllow' })

export const fleetRemove = z
  .strictObject({ machine: machineName })
  .register(named, { id: 'FleetRemove' })
