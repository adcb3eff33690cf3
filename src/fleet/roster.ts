import { randomBytes } from 'node:crypto'
import { type EnvelopeFault, openEnvelope, sealEnvelope } from './envelope.ts'
import { FleetError } from './errors.ts'
import { KEY_BYTES, type MachineKeys, openSealed, sealFor } from './keys.ts'
import { MACHINE_NAME_MAX, MEMBERS_MAX, rosterShape } from './payloads.ts'
import type { Member, Roster } from './shapes.ts'

export interface RosterWithKey {
  readonly roster: Roster
  /** Of its epoch. */
  readonly groupKey: Buffer
}

export function newRoster(fleet: string, founder: Member): RosterWithKey {
  const groupKey = randomBytes(KEY_BYTES)
  const member = { ...founder, name: uniqueName(founder.name, []) }
  const { machine } = founder
  const members = [member]
  const groupKeys = sealedKeys(members, groupKey)
  return { roster: { fleet, rev: 1, founder: machine, members, epoch: 1, groupKeys }, groupKey }
}

/**
 * SPEC FL19–FL21. A machine that is a member already is not replaced: an invitation must not let
 * another machine take its place.
 */
export function withMember(roster: Roster, groupKey: Uint8Array, member: Member): Roster {
  const known = roster.members.find(({ machine }) => machine === member.machine)
  if (known?.signKey === member.signKey && known.boxKey === member.boxKey) return roster
  if (known) {
    throw new FleetError(
      `This machine is in the fleet already, as "${known.name}": remove it there first.`,
    )
  }
  if (roster.members.some(hasKeyOf(member))) {
    throw new FleetError('Another machine of the fleet has the same keys: join with new ones.')
  }
  if (roster.members.length >= MEMBERS_MAX) {
    throw new FleetError(`The fleet has ${MEMBERS_MAX} machines, and cannot have more.`)
  }
  const taken = roster.members.map(({ name }) => name)
  const added = { ...member, name: uniqueName(member.name, taken) }
  return {
    ...roster,
    rev: roster.rev + 1,
    members: [...roster.members, added],
    groupKeys: { ...roster.groupKeys, ...sealedKeys([added], groupKey) },
  }
}

/** A server takes no key twice: with such a roster it would not start. */
function hasKeyOf({ signKey, boxKey }: Member) {
  return (other: Member) => other.signKey === signKey || other.boxKey === boxKey
}

/** SPEC FL20. Those that remain get another group key, which the removed machine never sees. */
export function withoutMember(roster: Roster, machine: string): RosterWithKey {
  if (machine === roster.founder) {
    throw new FleetError('The machine that founded the fleet cannot be removed from it.')
  }
  const members = roster.members.filter((member) => member.machine !== machine)
  if (members.length === roster.members.length) {
    throw new FleetError(`No machine of the fleet has the id ${machine}.`)
  }
  const groupKey = randomBytes(KEY_BYTES)
  const groupKeys = sealedKeys(members, groupKey)
  const { rev, epoch } = roster
  return { roster: { ...roster, rev: rev + 1, members, epoch: epoch + 1, groupKeys }, groupKey }
}

export function sealRoster(roster: Roster, founderKeys: MachineKeys, at: number): Buffer {
  const { fleet, founder, rev } = roster
  const head = { fleet, machine: founder, kind: 'roster', about: 'roster', rev, at, key: null }
  return sealEnvelope({ ...head, kind: 'roster' }, roster, founderKeys.signSeed)
}

export type VerifiedRoster =
  | { readonly ok: true; readonly roster: Roster }
  | { readonly ok: false; readonly why: EnvelopeFault | 'old' }

/** SPEC FL18. Whether the founder signed it, and none later is known (`minRev`). Never throws. */
export function verifyRoster(
  bytes: Uint8Array,
  { fleet, founderKey, minRev = 0 }: { fleet: string; founderKey: string; minRev?: number },
): VerifiedRoster {
  const opened = openEnvelope(bytes, {
    ...{ fleet, kind: 'roster', about: 'roster' },
    signKeyOf: () => founderKey,
    groupKeyOf: () => undefined,
  })
  if (!opened.ok) return opened
  const parsed = rosterShape.safeParse(opened.payload)
  if (!parsed.success) return { ok: false, why: 'payload' }
  const roster = parsed.data
  const founder = roster.members.find(({ machine }) => machine === roster.founder)
  const isItself =
    founder?.signKey === founderKey &&
    roster.fleet === fleet &&
    roster.rev === opened.head.rev &&
    roster.founder === opened.head.machine
  if (!isItself) return { ok: false, why: 'payload' }
  return roster.rev < minRev ? { ok: false, why: 'old' } : { ok: true, roster }
}

/** Undefined where the machine is no member, or the key is not its own. */
export function groupKeyIn(
  roster: Roster,
  machine: string,
  boxPrivate: string,
): Buffer | undefined {
  if (!Object.hasOwn(roster.groupKeys, machine)) return undefined
  const sealed = Buffer.from(roster.groupKeys[machine] ?? '', 'base64url')
  const key = openSealed(boxPrivate, sealed)
  return key?.length === KEY_BYTES ? key : undefined
}

function sealedKeys(members: readonly Member[], groupKey: Uint8Array): Record<string, string> {
  return Object.fromEntries(
    members.map(({ machine, boxKey }) => [
      machine,
      sealFor(boxKey, groupKey).toString('base64url'),
    ]),
  )
}

/** SPEC FL19. A host's name, with a number where another machine has it; ssh takes both. */
function uniqueName(wanted: string, taken: readonly string[]): string {
  // Room for a number of four digits.
  const name =
    plainName(wanted)
      .slice(0, MACHINE_NAME_MAX - 5)
      .trim() || 'machine'
  const used = new Set(taken)
  if (!used.has(name)) return name
  let n = 2
  while (used.has(`${name}-${n}`)) n++
  return `${name}-${n}`
}

function plainName(name: string): string {
  return name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}
