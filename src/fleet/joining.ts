import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../core/json.ts'
import { ENVELOPE_MAX_BYTES } from './envelope.ts'
import { FleetError } from './errors.ts'
import { fingerprintOf, type Invite } from './invite.ts'
import {
  isSignedBy,
  type MachineKeys,
  openSealed,
  SIGNATURE_BYTES,
  sealFor,
  signWith,
} from './keys.ts'
import { boxKeyShape, fleetIdShape, machineIdShape, signKeyShape } from './payloads.ts'
import { verifyRoster } from './roster.ts'
import type { Roster } from './shapes.ts'

/** Both messages begin with the proof of the invitation's secret and the sender's signature. */
const MAC_BYTES = 32
const PROOF_BYTES = MAC_BYTES + SIGNATURE_BYTES
const SIGN_PUBLIC_CHARS = 56
const REQUEST_MAX_BYTES = 4_096

const joinShape = z.object({
  fleet: fleetIdShape,
  invite: z.string().max(64),
  machine: machineIdShape,
  name: z.string().max(256),
  version: z.string().max(64),
  signKey: signKeyShape,
  boxKey: boxKeyShape,
})
/** What a machine says of itself when it joins. */
export type JoinRequest = Readonly<z.output<typeof joinShape>>

/** An invitation that was not used yet, as its founder keeps it. */
export type PendingInvite = Pick<Invite, 'id' | 'secret' | 'expiresAt' | 'lookOnly'>

/** SPEC FL22. */
export function joinRequest(
  invite: Pick<Invite, 'fleet' | 'id' | 'secret'>,
  self: Pick<JoinRequest, 'machine' | 'name' | 'version'>,
  keys: MachineKeys,
): Buffer {
  const { signPublic, boxPublic, signSeed } = keys
  const { fleet, id } = invite
  const request = { ...self, fleet, invite: id, signKey: signPublic, boxKey: boxPublic }
  return proven('join', invite.secret, signSeed, Buffer.from(JSON.stringify(request)))
}

/** SPEC FL22. Throws a `FleetError`: the founder sends its sentence back. */
export function readJoinRequest(
  bytes: Uint8Array,
  fleet: string,
  pending: readonly PendingInvite[],
  now: number,
): { readonly request: JoinRequest; readonly invite: PendingInvite } {
  const isShort = bytes.length < PROOF_BYTES || bytes.length > REQUEST_MAX_BYTES
  const body = Buffer.from(isShort ? [] : bytes.subarray(PROOF_BYTES))
  const parsed = joinShape.safeParse(parseJson(body.toString('utf8')))
  if (!parsed.success) throw new FleetError('The request to join is not as vigil writes it.')
  const request = parsed.data
  if (request.fleet !== fleet) throw new FleetError('The invitation is of another fleet.')
  const invite = pending.find(({ id }) => id === request.invite)
  if (invite === undefined) {
    throw new FleetError('The invitation was used or withdrawn: run `vigil fleet invite` again.')
  }
  if (!isProven('join', invite.secret, request.signKey, bytes)) {
    throw new FleetError('The request to join was not made with this invitation.')
  }
  if (invite.expiresAt <= now) {
    throw new FleetError('The invitation has expired: run `vigil fleet invite` again.')
  }
  return { request, invite }
}

/** SPEC FL23. What the founder replies: the roster, readable for the new member alone. */
export function welcome(
  secret: string,
  memberBoxKey: string,
  rosterBytes: Uint8Array,
  founderKeys: MachineKeys,
): Buffer {
  const content = Buffer.concat([Buffer.from(founderKeys.signPublic), rosterBytes])
  return proven('welcome', secret, founderKeys.signSeed, sealFor(memberBoxKey, content))
}

export interface Welcome {
  readonly founderKey: string
  readonly roster: Roster
  readonly rosterBytes: Buffer
}

/** SPEC FL23. Throws a `FleetError` where it is not from the founder that the invitation names. */
export function readWelcome(
  bytes: Uint8Array,
  invite: Invite,
  self: string,
  keys: MachineKeys,
): Welcome {
  const isFit = bytes.length >= PROOF_BYTES && bytes.length <= ENVELOPE_MAX_BYTES + 1_024
  const content = isFit ? openSealed(keys.boxPrivate, bytes.subarray(PROOF_BYTES)) : undefined
  const founderKey = content?.toString('latin1', 0, SIGN_PUBLIC_CHARS) ?? ''
  const isFounder =
    fingerprintOf(founderKey) === invite.fingerprint &&
    isProven('welcome', invite.secret, founderKey, bytes)
  if (content === undefined || !isFounder) {
    throw new FleetError('The reply is not from the machine that made the invitation.')
  }
  const rosterBytes = content.subarray(SIGN_PUBLIC_CHARS)
  const verified = verifyRoster(rosterBytes, { fleet: invite.fleet, founderKey })
  if (!verified.ok) {
    throw new FleetError(
      verified.why === 'version'
        ? 'The fleet uses another version of vigil: update vigil on both machines, then join.'
        : 'The reply has no valid list of the fleet’s machines: run `vigil fleet invite` again.',
    )
  }
  const { roster } = verified
  const own = roster.members.find((member) => member.machine === self)
  if (own?.signKey !== keys.signPublic || own.boxKey !== keys.boxPublic) {
    throw new FleetError('The fleet did not take this machine up: run `vigil fleet invite` again.')
  }
  return { founderKey, roster, rosterBytes }
}

type JoinStep = 'join' | 'welcome'

function proven(step: JoinStep, secret: string, signSeed: string, body: Buffer): Buffer {
  return Buffer.concat([macOf(step, secret, body), signWith(signSeed, step, body), body])
}

function isProven(step: JoinStep, secret: string, signPublic: string, bytes: Uint8Array): boolean {
  const body = bytes.subarray(PROOF_BYTES)
  const signature = bytes.subarray(MAC_BYTES, PROOF_BYTES)
  return (
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(step, secret, body)) &&
    isSignedBy(signPublic, step, body, signature)
  )
}

function macOf(step: JoinStep, secret: string, body: Uint8Array): Buffer {
  const key = Buffer.from(secret, 'base64url')
  return createHmac('sha256', key).update(`vigil fleet ${step} 1\0`).update(body).digest()
}
