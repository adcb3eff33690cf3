import { foundedState } from '../../src/daemon/fleet/founding.ts'
import { Membership } from '../../src/daemon/fleet/membership.ts'
import { newMachineKeys } from '../../src/fleet/keys.ts'
import { groupKeyIn, sealRoster, withMember } from '../../src/fleet/roster.ts'
import type { FleetState } from '../../src/fleet/state.ts'

export const NOW = 1_800_000_000_000

/** The id of a machine. */
export const machineNumber = (n: number) => `m${n.toString(16).padStart(24, '0')}`

export interface TestMember {
  readonly membership: Membership
  readonly written: FleetState[]
}

/** A fleet of so many machines, in one process; the first is its founder. */
export function membersOf(count: number): readonly TestMember[] {
  const none = { urls: [], ca: null, creds: null, serve: null, allowOldServer: false }
  const state = foundedState({ machine: machineNumber(1), name: 'one', now: NOW, ...none })
  const founder = memberOf(state)
  const others = Array.from({ length: count - 1 }, (_, at) => joined(founder.membership, at + 2))
  const bytes = Buffer.from(founder.membership.state.roster, 'base64url')
  for (const { membership } of others) membership.takeRoster(bytes)
  return [founder, ...others]
}

function memberOf(state: FleetState): TestMember {
  const written: FleetState[] = []
  const file = { write: (next: FleetState) => void written.push(next) }
  return { membership: new Membership(state, file, () => NOW), written }
}

/** A machine that joins the founder's fleet now; the others do not know it yet. */
export function joinedLater(founder: Membership, n = 9) {
  const { membership } = joined(founder, n)
  return { member: membership, roster: Buffer.from(founder.state.roster, 'base64url') }
}

function joined(founder: Membership, n: number): TestMember {
  const keys = newMachineKeys()
  const machine = machineNumber(n)
  const { signPublic: signKey, boxPublic: boxKey } = keys
  const member = { machine, name: `name${n}`, signKey, boxKey, joinedAt: NOW }
  const roster = withMember(founder.roster, founder.groupKey, member)
  const bytes = sealRoster(roster, founder.state.keys, NOW)
  founder.takeRoster(bytes)
  const groupKey = groupKeyIn(roster, machine, keys.boxPrivate)?.toString('base64url') ?? ''
  return memberOf({
    ...founder.state,
    ...{ machine, keys, isFounder: false, revCeiling: 0, rights: {} },
    groupKeys: { [roster.epoch]: groupKey },
    roster: bytes.toString('base64url'),
  })
}
