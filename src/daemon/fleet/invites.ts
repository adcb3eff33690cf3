import { createHmac } from 'node:crypto'
import { FleetError } from '../../fleet/errors.ts'
import { inviteLine, newInvite } from '../../fleet/invite.ts'
import { type PendingInvite, readJoinRequest, welcome } from '../../fleet/joining.ts'
import { sealRoster, withMember, withoutMember } from '../../fleet/roster.ts'
import type { Member, Roster } from '../../fleet/shapes.ts'
import type { FleetState } from '../../fleet/state.ts'
import { TransportError } from '../../fleet/transport.ts'
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
  /** The same after an admission that failed. */
  readonly withdraw: (rosterBytes: Buffer) => Promise<void>
  /** Whether the machine has said anything as a member. */
  readonly isHeard: (machine: string) => boolean
  readonly onJoined: (name: string) => void
}

/** SPEC FL145. The founder's answer to a machine that has an invite; one machine at a time. */
export class JoinAnswers {
  readonly #parts: JoinParts
  #last: Promise<unknown> = Promise.resolve()
  /** Machines that this daemon admitted. */
  readonly #admitted = new Set<string>()

  constructor(parts: JoinParts) {
    this.#parts = parts
  }

  serve = (_invite: string, bytes: Uint8Array): Promise<Uint8Array> => {
    const reply = this.#last.then(() => this.#answer(bytes))
    this.#last = reply.catch(() => {})
    return reply
  }

  async #answer(bytes: Uint8Array): Promise<Uint8Array> {
    const { membership, now, onJoined } = this.#parts
    try {
      const { state } = membership
      const { request, invite } = readJoinRequest(bytes, state.fleet, state.invites, now())
      const { machine, name, signKey, boxKey } = request
      const member = { machine, name: name || machine, signKey, boxKey, joinedAt: now() }
      const rosterBytes = sealRoster(this.#rosterWith(member), state.keys, now())
      await this.#admit(machine, rosterBytes, invite)
      onJoined(membership.nameOf(machine))
      return welcome(invite.secret, boxKey, rosterBytes, state.keys)
    } catch (error) {
      if (!(error instanceof FleetError)) throw error
      return Buffer.from(JSON.stringify({ error: error.message }))
    }
  }

  /** SPEC FL205. A machine whose welcome was lost has made other keys, and comes again. */
  #rosterWith(member: Member): Roster {
    const { membership, isHeard } = this.#parts
    const { roster, groupKey } = membership
    const { machine } = member
    const isStranded = this.#admitted.has(machine) && !isHeard(machine)
    if (!isStranded || !membership.isMember(machine)) return withMember(roster, groupKey, member)
    const without = withoutMember(roster, machine)
    return withMember(without.roster, without.groupKey, member)
  }

  /** The list is stored before it is published: no later one may have its number. */
  async #admit(machine: string, rosterBytes: Buffer, invite: PendingInvite): Promise<void> {
    const { membership, admit } = this.#parts
    const before = membership.roster
    membership.takeRoster(rosterBytes)
    // SPEC FL145. Once: the same line does not admit a second machine.
    const invites = membership.state.invites.filter(({ id }) => id !== invite.id)
    membership.change({ invites })
    this.#admitted.add(machine)
    try {
      await admit(rosterBytes, invite)
    } catch (error) {
      const why = (error instanceof Error ? error.message : String(error)).slice(0, WHY_MAX_CHARS)
      // Whether the server has stored the list is not known: another line finds out.
      if (error instanceof TransportError && error.fault === 'late')
        throw new FleetError(`The list of machines may not be stored (${why}): ${OTHER_LINE}`)
      this.#undo(before, invite)
      throw new FleetError(`The list of machines cannot be stored (${why}): ${SAME_LINE}`)
    }
  }

  /** SPEC FL204. No machine has read the list that is taken back: the keys stay as they were. */
  #undo(before: Roster, invite: PendingInvite): void {
    const { membership, now, withdraw } = this.#parts
    const roster = { ...before, rev: membership.roster.rev + 1 }
    const rosterBytes = sealRoster(roster, membership.state.keys, now())
    membership.takeRoster(rosterBytes)
    membership.change({ invites: [...membership.state.invites, invite] })
    // If it fails, the next connection does it.
    withdraw(rosterBytes).catch(() => {})
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
/** The rest of the sentence fits beside it. */
const WHY_MAX_CHARS = 300
const SAME_LINE = 'join with the same line once that is mended.'
const OTHER_LINE = 'run `vigil fleet invite` again, and join with that line.'
