import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../core/json.ts'
import { SERVER_URL } from '../protocol/fleet.ts'
import { FleetError } from './errors.ts'
import { fleetIdShape } from './payloads.ts'

const INVITE_VERSION = 1
const LINE_MARK = 'vigil-fleet:'
const SECRET_BYTES = 16
const CHECKSUM_CHARS = 8
const LINE_MAX_CHARS = 8_192
/** One of P-256 for sixteen names has 1,500. */
export const CERTIFICATE_MAX_CHARS = 4_000

const bytes16 = z.string().regex(/^[\w-]{22}$/)

const inviteShape = z.object({
  v: z.literal(INVITE_VERSION),
  fleet: fleetIdShape,
  urls: z.array(z.string().max(500).regex(SERVER_URL)).min(1).max(16),
  secret: bytes16,
  id: bytes16,
  fingerprint: bytes16,
  tls: z.string().max(CERTIFICATE_MAX_CHARS).nullable(),
  lookOnly: z.boolean(),
  expiresAt: z.number(),
})

/** What the inviting machine prints, and the joining one is given. */
export interface Invite {
  readonly fleet: string
  readonly urls: readonly string[]
  /** Known to the two machines alone: each proves with it that it has seen the line. */
  readonly secret: string
  readonly id: string
  /** Of the founder's signing key: the server cannot pass off another founder. */
  readonly fingerprint: string
  /** The server's own certificate (PEM); null: the system's authorities, or no TLS. */
  readonly tls: string | null
  /** The inviting machine may only look at the joining one. */
  readonly lookOnly: boolean
  readonly expiresAt: number
}

export type InviteTerms = Omit<Invite, 'secret' | 'id' | 'fingerprint'>

export function newInvite(terms: InviteTerms, founderKey: string): Invite {
  const random = () => randomBytes(SECRET_BYTES).toString('base64url')
  return { ...terms, secret: random(), id: random(), fingerprint: fingerprintOf(founderKey) }
}

/** 16 bytes of SHA-256: no second key with the same ones can be found. */
export function fingerprintOf(signPublic: string): string {
  return createHash('sha256').update(signPublic).digest().toString('base64url', 0, 16)
}

/** SPEC FL16. */
export function inviteLine(invite: Invite): string {
  const text = JSON.stringify({ v: INVITE_VERSION, ...invite })
  const body = Buffer.from(text).toString('base64url')
  return `${LINE_MARK}${body}.${lineChecksum(body)}`
}

/** SPEC FL16, FL17. Throws a `FleetError` that says what is wrong with the line. */
export function readInvite(text: string, now: number): Invite {
  // A terminal breaks a long line, and a chat puts quotes around it.
  const line = text.replaceAll(/[\s"'`]/g, '')
  if (!line.startsWith(LINE_MARK) || line.length > LINE_MAX_CHARS) {
    throw new FleetError(
      'This is not an invitation: paste the line that `vigil fleet invite` printed.',
    )
  }
  const [body = '', checksum] = line.slice(LINE_MARK.length).split('.')
  if (checksum !== lineChecksum(body)) {
    throw new FleetError('The invitation is cut off or was changed: copy the whole line again.')
  }
  const raw = parseJson(Buffer.from(body, 'base64url').toString('utf8'))
  const version = (raw as { v?: unknown } | null | undefined)?.v
  if (typeof version === 'number' && version > INVITE_VERSION) {
    throw new FleetError(
      'The invitation was made by a newer vigil: update vigil on this machine, then join.',
    )
  }
  const parsed = inviteShape.safeParse(raw)
  if (!parsed.success) {
    throw new FleetError(
      'The invitation is not as vigil writes it: run `vigil fleet invite` again for another.',
    )
  }
  const { v: _, ...invite } = parsed.data
  if (invite.expiresAt <= now) {
    throw new FleetError(
      'The invitation has expired, or this clock is wrong: run `vigil fleet invite` again.',
    )
  }
  return invite
}

function lineChecksum(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, CHECKSUM_CHARS)
}
