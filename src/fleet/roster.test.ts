import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ENVELOPE_MAX_BYTES, sealEnvelope } from './envelope.ts'
import { FleetError } from './errors.ts'
import { type MachineKeys, newMachineKeys } from './keys.ts'
import { MEMBERS_MAX } from './payloads.ts'
import {
  groupKeyIn,
  newRoster,
  sealRoster,
  verifyRoster,
  withMember,
  withoutMember,
} from './roster.ts'
import type { Member, Roster } from './shapes.ts'

const fleet = '0123456789abcdef'
const keys = newMachineKeys()
const founderKey = keys.signPublic
const idOf = (n: number) => `m${n.toString(16).padStart(24, '0')}`

function memberOf(n: number, name: string, own: MachineKeys = newMachineKeys()): Member {
  return { machine: idOf(n), name, signKey: own.signPublic, boxKey: own.boxPublic, joinedAt: n }
}

const founder = memberOf(1, 'box', keys)
const { roster: first, groupKey } = newRoster(fleet, founder)

describe('a roster', () => {
  it('[FL18] is that which its founder signed, of this fleet', () => {
    const bytes = sealRoster(first, keys, 5)
    expect(verifyRoster(bytes, { fleet, founderKey })).toEqual({ ok: true, roster: first })
    const other = newMachineKeys()
    const whyOf = (bytes: Uint8Array, over = {}) =>
      verifyRoster(bytes, { fleet, founderKey, ...over })
    expect(whyOf(sealRoster(first, other, 5))).toEqual({ ok: false, why: 'signature' })
    expect(whyOf(bytes, { founderKey: other.signPublic })).toEqual({ ok: false, why: 'signature' })
    expect(whyOf(bytes, { fleet: 'f'.repeat(16) })).toEqual({ ok: false, why: 'fleet' })
    expect(whyOf(Buffer.from('x'))).toEqual({ ok: false, why: 'malformed' })
  })

  it('[FL18] that differs from its own head, or lacks its founder, is refused', () => {
    const head = { fleet, machine: founder.machine, about: 'roster', rev: 1, at: 5, key: null }
    const signed = (roster: unknown) =>
      verifyRoster(sealEnvelope({ ...head, kind: 'roster' }, roster, keys.signSeed), {
        fleet,
        founderKey,
      })
    expect(signed(first).ok).toBe(true)
    for (const over of [
      { rev: 2 },
      { fleet: 'f'.repeat(16) },
      { founder: idOf(2) },
      { members: [memberOf(1, 'box')] },
      { members: [] },
    ])
      expect(signed({ ...first, ...over })).toEqual({ ok: false, why: 'payload' })
  })

  it('[FL18] older than one that is known is refused', () => {
    const second = withMember(first, groupKey, memberOf(2, 'other'))
    expect(second.rev).toBe(first.rev + 1)
    const known = { fleet, founderKey, minRev: second.rev }
    expect(verifyRoster(sealRoster(first, keys, 9), known)).toEqual({ ok: false, why: 'old' })
    expect(verifyRoster(sealRoster(second, keys, 9), known).ok).toBe(true)
  })

  it('[FL19] gives each machine a name of its own', () => {
    let roster: Roster = first
    const names = ['box', 'box', 'box-2', '', ' \u001b[31m\n', 'x'.repeat(500)]
    for (const [n, name] of names.entries())
      roster = withMember(roster, groupKey, memberOf(n + 2, name))
    expect(roster.members.map(({ name }) => name)).toEqual([
      ...['box', 'box-2', 'box-3', 'box-2-2', 'machine', '[31m', 'x'.repeat(59)],
    ])
    expect(verifyRoster(sealRoster(roster, keys, 9), { fleet, founderKey }).ok).toBe(true)
  })

  it('[FL20] has the group key for each member, and none for one that was removed', () => {
    const [b, c] = [newMachineKeys(), newMachineKeys()]
    const two = withMember(first, groupKey, memberOf(2, 'b', b))
    const three = withMember(two, groupKey, memberOf(3, 'c', c))
    expect(groupKeyIn(three, idOf(1), keys.boxPrivate)).toEqual(groupKey)
    expect(groupKeyIn(three, idOf(2), b.boxPrivate)).toEqual(groupKey)
    expect(groupKeyIn(three, idOf(2), c.boxPrivate)).toBeUndefined()
    const { roster: left, groupKey: next } = withoutMember(three, idOf(2))
    expect([left.epoch, left.rev]).toEqual([three.epoch + 1, three.rev + 1])
    expect(left.members.map(({ machine }) => machine)).toEqual([idOf(1), idOf(3)])
    expect(next).not.toEqual(groupKey)
    expect(groupKeyIn(left, idOf(3), c.boxPrivate)).toEqual(next)
    for (const machine of [idOf(1), idOf(2), idOf(3), '__proto__'])
      expect(groupKeyIn(left, machine, b.boxPrivate)).toBeUndefined()
  })

  it('[FL21] keeps a member’s place: another with its id is refused, itself is not', () => {
    const b = memberOf(2, 'b')
    const two = withMember(first, groupKey, b)
    expect(withMember(two, groupKey, b)).toBe(two)
    expect(() => withMember(two, groupKey, memberOf(2, 'b'))).toThrow(/already, as "b": remove it/)
    expect(() => withMember(two, groupKey, memberOf(1, 'me'))).toThrow(FleetError)
    expect(() => withoutMember(two, idOf(1))).toThrow(/founded the fleet cannot be removed/)
    expect(() => withoutMember(two, idOf(9))).toThrow(/No machine of the fleet has the id/)
  })

  it('[FL21] has at most 3,000 machines, and fits in a message then', () => {
    const name = (n: number) => `host-${n}.eu-central-1.compute.internal`
    const others = Array.from({ length: MEMBERS_MAX - 1 }, (_, n) => memberOf(n + 2, name(n)))
    const sealed = Buffer.from(first.groupKeys[founder.machine] ?? '', 'base64url').length
    const groupKeys = { ...first.groupKeys }
    for (const { machine } of others) groupKeys[machine] = randomBytes(sealed).toString('base64url')
    const full = { ...first, members: [founder, ...others], groupKeys }
    const bytes = sealRoster(full, keys, 9)
    expect(bytes.length).toBeLessThan(ENVELOPE_MAX_BYTES)
    expect(verifyRoster(bytes, { fleet, founderKey }).ok).toBe(true)
    expect(() => withMember(full, groupKey, memberOf(MEMBERS_MAX + 1, 'more'))).toThrow(
      'The fleet has 3000 machines',
    )
  })
})
