import { z } from 'zod'
import { STATES } from '../core/verdict.ts'
import { isMachineId } from '../protocol/address.ts'
import { type Session, session } from '../protocol/session.ts'
import { isBoxKey, isSignPublic } from './keys.ts'
import { lenient } from './lenient.ts'
import type { Member } from './shapes.ts'

/**
 * Shapes of what other machines send. All of them drop fields that they do not know, because a
 * newer vigil may add some. Texts and lists are limited, so that no machine can fill another's
 * memory.
 */

/** More than a fleet on one server; a roster with more would not fit in a message. */
export const MEMBERS_MAX = 3_000
export const MACHINE_NAME_MAX = 64
const TROUBLES_MAX = 100
const TROUBLE_MAX_CHARS = 1_000
const TARGET_MAX_CHARS = 8_192

export const machineIdShape = z.string().refine(isMachineId, 'expected the id of a machine')
const count = z.int().min(0)
export const signKeyShape = z.string().refine(isSignPublic, 'expected a public key of NATS')
export const boxKeyShape = z.string().refine(isBoxKey, 'expected a public key')
export const fleetIdShape = z.string().regex(/^[0-9a-f]{16}$/, 'expected the id of a fleet')

/** A machine of the fleet, as its founder introduced it. */
export const memberShape = z.object({
  machine: machineIdShape,
  /** A label: its host name, with a number where two machines share one. */
  name: z.string().min(1).max(MACHINE_NAME_MAX),
  /** Ed25519 public key, as an nkey of a user (`U…`): it signs, and it logs in to the server. */
  signKey: signKeyShape,
  /** X25519 public key, base64url: what only this machine may read is encrypted with it. */
  boxKey: boxKeyShape,
  joinedAt: z.number(),
})

/** The machines of the fleet, signed by the founder; a later `rev` replaces an earlier one. */
export const rosterShape = z.object({
  fleet: fleetIdShape,
  rev: count,
  /** The machine that invites and removes. */
  founder: machineIdShape,
  members: z.array(memberShape).min(1).max(MEMBERS_MAX).refine(areApart, 'expected each once'),
  /** Number of the group key in force; each removal begins another. */
  epoch: count,
  /** The group key, encrypted for each member. */
  groupKeys: z.record(machineIdShape, z.string().max(256)),
})

/** Where not every member may see a machine's rows: their key, encrypted for those that may. */
export const lookersShape = z.object({
  id: z.string().min(8).max(64),
  keys: z.record(machineIdShape, z.string().max(256)),
})

/** What a machine says every five seconds. */
export const heartbeatShape = z.object({
  name: z.string().max(MACHINE_NAME_MAX),
  version: z.string().max(64),
  /** Random, made when the daemon starts: two runs of one machine id at once are a cloned disk. */
  run: z.string().max(64),
  startedAt: z.number(),
  /** The daemon ends now: the machine is not lost, it left. */
  isEnding: z.boolean().default(false),
  troubles: z.array(z.string().max(TROUBLE_MAX_CHARS)).max(TROUBLES_MAX).default([]),
  /** How many rows it has published, and their digest: see `RowDigest`. Empty: not all yet. */
  rows: count,
  digest: z.string().max(128),
})

/** What a machine says that is asked for its word; its clock is in the head. */
export const wordShape = z.object({ rows: count, digest: z.string().max(128) })

/** SPEC FL8. A state that a newer vigil added is unknown here. */
const lenientSession = (lenient(session) as z.ZodObject).extend({
  state: z.enum(STATES).catch('unknown'),
}) as unknown as z.ZodType<Session>

/** A session's row on its way; its times are by the clock of the machine that wrote it. */
export const sharedRowShape = z.object({
  session: lenientSession,
  /** Texts were shortened to fit: the owner has the whole. */
  isCut: z.boolean().default(false),
})

/** A request to another machine: one of the API, by the caller's name. */
export const remoteCallShape = z.object({
  /** Random; a repeated id is the same call, and gets the same reply. */
  id: z.string().min(8).max(64),
  method: z.enum(['GET', 'POST']),
  /** Path and query, as the machine's own API has them. */
  target: z.string().max(TARGET_MAX_CHARS).refine(isTarget, 'expected a path'),
  body: z.unknown().optional(),
  /** By the clock of the machine that is asked. */
  deadline: z.number(),
  /** A stream is sent part by part until the caller goes. */
  stream: z.boolean().exactOptional(),
})

/** One part of a reply. Parts are numbered, and the last says so: none can be left out unseen. */
export const remoteReplyShape = z.object({
  status: z.int().min(100).max(599),
  type: z.string().max(200),
  body: z.string(),
  part: count,
  last: z.boolean(),
})

/** SPEC FL133. As vigil writes one: the API decodes each segment. */
function isTarget(text: string): boolean {
  const [path = ''] = text.split('?', 1)
  try {
    decodeURIComponent(path)
  } catch {
    return false
  }
  return /^\/[\x21-\x7e]*$/.test(text)
}

function areApart(members: readonly Member[]): boolean {
  const by = (of: (member: Member) => string) => new Set(members.map(of)).size
  return [by(({ machine }) => machine), by(({ name }) => name)].every((n) => n === members.length)
}
