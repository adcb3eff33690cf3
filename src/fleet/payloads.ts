import { z } from 'zod'
import { STATES } from '../core/verdict.ts'
import { isMachineId } from '../protocol/address.ts'
import { type Session, session } from '../protocol/session.ts'
import { isBoxKey, isSignPublic } from './keys.ts'
import { lenient } from './lenient.ts'
import type {
  Heartbeat,
  Lookers,
  Member,
  RemoteCall,
  RemoteReply,
  Roster,
  SharedRow,
} from './shapes.ts'

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

export const memberShape: z.ZodType<Member> = z.object({
  machine: machineIdShape,
  name: z.string().min(1).max(MACHINE_NAME_MAX),
  signKey: signKeyShape,
  boxKey: boxKeyShape,
  joinedAt: z.number(),
})

export const rosterShape: z.ZodType<Roster> = z.object({
  fleet: fleetIdShape,
  rev: count,
  founder: machineIdShape,
  members: z.array(memberShape).min(1).max(MEMBERS_MAX).refine(areApart, 'expected each once'),
  epoch: count,
  groupKeys: z.record(machineIdShape, z.string().max(256)),
})

export const lookersShape: z.ZodType<Lookers> = z.object({
  id: z.string().min(8).max(64),
  keys: z.record(machineIdShape, z.string().max(256)),
})

export const heartbeatShape: z.ZodType<Heartbeat> = z.object({
  name: z.string().max(MACHINE_NAME_MAX),
  version: z.string().max(64),
  run: z.string().max(64),
  startedAt: z.number(),
  isEnding: z.boolean().default(false),
  troubles: z.array(z.string().max(TROUBLE_MAX_CHARS)).max(TROUBLES_MAX).default([]),
  rows: count,
  digest: z.string().max(128),
})

/** What a machine says that is asked for its word; its clock is in the head. */
export const wordShape = z.object({ rows: count, digest: z.string().max(128) })

/** SPEC FL8. A state that a newer vigil added is unknown here. */
const lenientSession = (lenient(session) as z.ZodObject).extend({
  state: z.enum(STATES).catch('unknown'),
}) as unknown as z.ZodType<Session>

export const sharedRowShape: z.ZodType<SharedRow> = z.object({
  session: lenientSession,
  isCut: z.boolean().default(false),
})

export const remoteCallShape = z.object({
  id: z.string().min(8).max(64),
  method: z.enum(['GET', 'POST']),
  target: z.string().max(TARGET_MAX_CHARS).refine(isTarget, 'expected a path'),
  body: z.unknown().optional(),
  deadline: z.number(),
  stream: z.boolean().exactOptional(),
}) satisfies z.ZodType<RemoteCall>

export const remoteReplyShape: z.ZodType<RemoteReply> = z.object({
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
