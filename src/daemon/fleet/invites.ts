import { createHmac } from 'node:crypto'
import { FleetError } from '../../fleet/errors.ts'
import { inviteLine, newInvite } from '../../fleet/invite.ts'
import { type PendingInvite, readJoinRequest, welcome } from '../../fleet/joining.ts'
import { sealRoster, withMember } from '../../fleet/roster.ts'
import type { FleetState } from '../../fleet/state.ts'
import type { FleetInvite, FleetInvited } from '../../protocol/fleet.ts'
import type { Membership } from './membership.ts'

/**
 * The server checks this password, so it knows it; from the secret itself it could forge requests
 * and welcomes.
 */
export function invitePassword(secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update('vigil fleet invite login 1')
    .digest('base64url')
}

function unexpired(invites: FleetState['invites'], now: number): FleetState['invites'] {
  return invites.filter(({ expiresAt }) => expiresAt > now)
}

/** SPEC FL144. A line that admits one machine. */
export function addInvite(
  membership: Membership,
  { lookOnly, expiresMs }: FleetInvite,
  now: number,
): FleetInvited {
  const { fleet, urls, tls, founderKey, invites, serve } = membership.state
  const expiresAt = now + expiresMs
  const invite = newInvite({ fleet, urls, tls, lookOnly, expiresAt }, founderKey)
  const { id, secret } = invite
  const pending = { id, secret, expiresAt, lookOnly }
  membership.change({ invites: [...unexpired(invites, now), pending] })
  return { line: inviteLine(invite), expiresAt, ownServer: serve === null }
}

interface JoinParts {
  readonly membership: Membership
  readonly now: () => number
  /** The members have changed: the server learns of it, then the bucket. */
  readonly admit: (rosterBytes: Buffer, used: PendingInvite) => Promise<void>
  readonly onJoined: (name: string) => void
}

/** SPEC FL145. The founder's answer to a machine that has an invite; one machine at a time. */
export class JoinAnswers {
  readonly #parts: JoinParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: JoinParts) {
    this.#parts = parts
  }

  serve = (_invite: string, bytes: Uint8Array): Promise<Uint8Array> => {
    const reply = this.#last.then(() => this.#answer(bytes))
    this.#last = reply.catch(() => {})
    return reply
  }

  async #answer(bytes: Uint8Array): Promise<Uint8Array> {
    const { membership, now, admit, onJoined } = this.#parts
    try {
      const { state } = membership
      const { request, invite } = readJoinRequest(bytes, state.fleet, state.invites, now())
      const { machine, name, signKey, boxKey } = request
      const member = { machine, name: name || machine, signKey, boxKey, joinedAt: now() }
      const roster = withMember(membership.roster, membership.groupKey, member)
      const rosterBytes = sealRoster(roster, state.keys, now())
      membership.takeRoster(rosterBytes)
      // SPEC FL145. Once: the same line does not admit a second machine.
      const invites = membership.state.invites.filter(({ id }) => id !== invite.id)
      membership.change({ invites })
      await admit(rosterBytes, invite)
      onJoined(membership.nameOf(machine))
      return welcome(invite.secret, boxKey, rosterBytes, state.keys)
    } catch (error) {
      if (!(error instanceof FleetError)) throw error
      return Buffer.from(JSON.stringify({ error: error.message }))
    }
  }
}

/** Why the founder refused; undefined if this is a welcome. */
export function refusalIn(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== '{'.charCodeAt(0) || bytes.length > REFUSAL_MAX_BYTES) return undefined
  try {
    const { error } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { error?: unknown }
    return typeof error === 'string' ? error.slice(0, REFUSAL_MAX_BYTES) : undefined
  } catch {
    return undefined
  }
}

const REFUSAL_MAX_BYTES = 500
