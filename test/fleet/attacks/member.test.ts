import { expect, it } from 'vitest'
import { newInvite } from '../../../src/fleet/invite.ts'
import { joinRequest, readJoinRequest } from '../../../src/fleet/joining.ts'
import { newMachineKeys } from '../../../src/fleet/keys.ts'
import { sealRoster, withMember, withoutMember } from '../../../src/fleet/roster.ts'
import { rowKeyOf } from '../../../src/fleet/row-key.ts'
import { membersOf, NOW } from '../../support/members.ts'
import { aSession } from '../../support/sessions.ts'
import { STRANGER, World } from './world.ts'

const ROW = { session: aSession({ id: 's', title: 'forged' }), isCut: false }

/**
 * What a member signs and stores, even if a server lets it store anything anywhere: its keys are
 * valid and it knows the group key.
 */
const STORED: Readonly<
  Record<string, (world: World) => readonly (readonly [string, Uint8Array])[]>
> = {
  'a row under another’s key': (w) => [[w.key, w.rowBy(w.attacker, w.key).bytes]],
  'a row in another’s name': (w) => [[w.key, w.forged({}, ROW)]],
  'a heartbeat in another’s name': (w) => [
    [w.beatKey, w.forged({ kind: 'beat', about: w.beatKey }, { isEnding: true })],
  ],
  'its own heartbeat under another’s key': (w) => [[w.beatKey, w.beatBy(w.attacker, [])]],
  'an older row of another': (w) => [[w.key, w.old.row]],
  'an older heartbeat of another': (w) => [[w.beatKey, w.old.beat]],
  'another’s row under its own key': (w) => [
    [rowKeyOf(w.attacker.machine, 's'), w.newest.row],
    [rowKeyOf(w.owner.machine, 'x'), w.newest.row],
  ],
  'another’s row as a heartbeat, and a heartbeat as a row': (w) => [
    [w.beatKey, w.newest.row],
    [w.key, w.newest.beat],
  ],
  'a row under a key that is not its session’s': (w) => {
    const key = rowKeyOf(w.attacker.machine, 'other')
    return [[key, w.rowBy(w.attacker, key).bytes]]
  },
  'a row without an id': (w) => {
    const key = rowKeyOf(w.attacker.machine, '')
    return [[key, w.attacker.seal('row', key, { session: { title: 'x' }, isCut: false })]]
  },
  'a row of a machine that was never invited': (w) => {
    const key = rowKeyOf(STRANGER, 's')
    return [[key, w.forged({ machine: STRANGER, about: key }, ROW)]]
  },
  'a row of another fleet': (w) => {
    const key = rowKeyOf(w.attacker.machine, 's')
    const head = { machine: w.attacker.machine, about: key, fleet: 'f'.repeat(16) }
    return [[key, w.forged(head, ROW)]]
  },
  'a row with a key that it invented': (w) => {
    const key = rowKeyOf(w.attacker.machine, 's')
    return [[key, w.forged({ machine: w.attacker.machine, about: key, key: 99 }, ROW)]]
  },
  'a row of more than 8 KB': (w) => {
    const key = rowKeyOf(w.attacker.machine, 's')
    return [[key, w.attacker.seal('lookers', key, 'x'.repeat(8_193))]]
  },
  'troubles without end in its heartbeat': (w) => {
    const troubles = Array.from({ length: 101 }, () => 'x')
    return [[`beat.${w.attacker.machine}`, w.beatBy(w.attacker, [], { troubles })]]
  },
  'a roster that it signed': (w) => {
    const { roster } = withoutMember(w.founder.roster, w.owner.machine)
    return [['roster', sealRoster({ ...roster, rev: 99 }, w.attacker.state.keys, NOW)]]
  },
  'a roster that names it as the founder': (w) => {
    const roster = { ...w.founder.roster, rev: 99, founder: w.attacker.machine }
    return [['roster', sealRoster(roster, w.attacker.state.keys, NOW)]]
  },
  'an older roster, and one of another founder': (w) => [
    ['roster', Buffer.from(w.owner.state.roster, 'base64url')],
    ['roster', w.old.roster],
  ],
  'keys of no kind': (w) => [
    ['rights', w.newest.row],
    [`lookers.${w.owner.machine}`, w.newest.row],
    ['row', w.newest.row],
    ['', w.newest.row],
  ],
  'bytes of no kind under every key': (w) =>
    [w.key, w.beatKey, 'roster'].flatMap((key) =>
      [0, 1, 65, 5_000].map((size) => [key, Buffer.alloc(size, 0xff)] as const),
    ),
}

it.each(Object.entries(STORED))('[FL166] a member stores %s', (_, attempt) => {
  const world = new World()
  const before = world.picture()
  expect(before).toContain('"newest"')
  world.tell(attempt(world).map(([key, value]) => ({ key, value })))
  expect(world.picture()).toBe(before)
})

it('[FL166] a member shares 10,001 rows', () => {
  const world = new World()
  const { attacker } = world
  const entries = Array.from({ length: 10_001 }, (_, n) => {
    const key = rowKeyOf(attacker.machine, `s${n}`)
    return { key, value: world.rowBy(attacker, key, {}, `s${n}`).bytes }
  })
  world.tell(entries)
  expect(world.remote.ids()).toHaveLength(10_001)
  expect(world.row()).toMatchObject({ title: 'newest' })
})

it('[FL166] a member’s row says that it is the viewer’s own, and where to jump', () => {
  const world = new World()
  const key = rowKeyOf(world.attacker.machine, 'mine')
  const claims = { machine: world.viewer.machine, own: true, host: '-oProxyCommand=x', stale: null }
  world.tell([{ key, value: world.rowBy(world.attacker, key, claims, 'mine').bytes }])
  const { machine } = world.attacker
  const row = world.remote.row(`${machine}/mine`)
  expect(row).toMatchObject({ machine, own: false, host: 'name4' })
  expect(world.remote.row(`${world.viewer.machine}/mine`)).toBeUndefined()
})

it('[FL163] one that joins under the id of a machine that left has none of its rights', () => {
  const world = new World()
  const { founder, viewer, owner } = world
  viewer.change({ rights: { [owner.machine]: 'type' } })
  const { roster: without, groupKey } = withoutMember(founder.roster, owner.machine)
  const keys = newMachineKeys()
  const { signPublic: signKey, boxPublic: boxKey } = keys
  const member = { machine: owner.machine, name: 'evil', signKey, boxKey, joinedAt: NOW }
  const back = withMember(without, groupKey, member)
  // Also where the roster between them was missed.
  expect(viewer.takeRoster(sealRoster(back, founder.state.keys, NOW))).toBe(true)
  expect(viewer.rightOf(owner.machine)).toBe('look')
  expect(viewer.state.rights).toEqual({})
})

it('[FL163] a member joins a second time with its own keys, under another id', () => {
  const { founder, attacker } = new World()
  const { signPublic: signKey, boxPublic: boxKey } = attacker.state.keys
  const second = { machine: STRANGER, name: 'x', signKey, boxKey, joinedAt: NOW }
  const other = { ...second, signKey: newMachineKeys().signPublic }
  for (const member of [second, other])
    expect(() => withMember(founder.roster, founder.groupKey, member)).toThrow('same keys')
})

const JOINS: Readonly<Record<string, (own: Uint8Array) => Uint8Array>> = {
  'with a name that was changed on its way': (own) =>
    Buffer.from(Buffer.from(own).toString('latin1').replace('"box"', '"fox"'), 'latin1'),
  'with its proof cut off': (own) => own.subarray(1),
  'with the password that the server knows, and not the secret': (own) =>
    Buffer.concat([Buffer.alloc(32), own.subarray(32)]),
}

it.each(Object.entries(JOINS))('[FL22] a machine asks to join %s', (_, change) => {
  const [founder] = membersOf(1)
  const { fleet, founderKey } = founder?.membership.state ?? { fleet: '', founderKey: '' }
  const terms = { fleet, urls: ['nats://a:1'], tls: null, lookOnly: false, expiresAt: NOW + 1 }
  const invite = newInvite(terms, founderKey)
  const self = { machine: STRANGER, name: 'box', version: '1' }
  const own = joinRequest(invite, self, newMachineKeys())
  expect(readJoinRequest(own, fleet, [invite], NOW).request).toMatchObject(self)
  expect(() => readJoinRequest(change(own), fleet, [invite], NOW)).toThrow()
  expect(() => readJoinRequest(own, fleet, [], NOW)).toThrow('used or withdrawn')
  expect(() => readJoinRequest(own, fleet, [invite], NOW + 2)).toThrow('expired')
})
