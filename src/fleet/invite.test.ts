import { describe, expect, it } from 'vitest'
import { FleetError } from './errors.ts'
import { fingerprintOf, inviteLine, newInvite, readInvite } from './invite.ts'
import { joinRequest, readJoinRequest, readWelcome, welcome } from './joining.ts'
import { newMachineKeys } from './keys.ts'
import { groupKeyIn, newRoster, sealRoster, withMember } from './roster.ts'

const fleet = '0123456789abcdef'
const founder = newMachineKeys()
const joiner = newMachineKeys()
const stranger = newMachineKeys()
const A = `m${'a'.repeat(24)}`
const B = `m${'b'.repeat(24)}`
const terms = { fleet, urls: ['tls://hub:4222'], tls: null, lookOnly: false, expiresAt: 1_000 }
const invite = newInvite(terms, founder.signPublic)
const line = inviteLine(invite)
const self = { machine: B, name: 'box', version: '0.7.0' }

describe('the line of an invitation', () => {
  it('[FL16] reads back, also broken by a terminal or in quotes', () => {
    expect(readInvite(line, 999)).toEqual(invite)
    expect(readInvite(` "${line.slice(0, 80)}\n  ${line.slice(80)}"\n`, 999)).toEqual(invite)
    expect(line).toMatch(/^vigil-fleet:[\w.-]+$/)
    expect(newInvite(terms, founder.signPublic).secret).not.toBe(invite.secret)
    expect(Buffer.from(invite.secret, 'base64url')).toHaveLength(16)
  })

  it('[FL17] that is wrong is refused, with one sentence', () => {
    const [body = ''] = line.slice('vigil-fleet:'.length).split('.')
    const json = JSON.parse(Buffer.from(body, 'base64url').toString())
    const sentences = [
      ['', /^This is not an invitation/],
      ['nats://hub', /^This is not an invitation/],
      [`vigil-fleet:${'x'.repeat(10_000)}`, /^This is not an invitation/],
      ['vigil-fleet:', /cut off or was changed/],
      [line.slice(0, -1), /cut off or was changed/],
      [line.slice(0, 60), /cut off or was changed/],
      [line.replace(body, `${body}A`), /cut off or was changed/],
      [inviteLine({ ...json, v: 2 }), /newer vigil: update vigil/],
      [inviteLine({ ...json, fleet: '../x' }), /not as vigil writes it/],
      [inviteLine({ ...json, urls: [] }), /not as vigil writes it/],
      [inviteLine({ ...json, urls: ['nats://a b:1'] }), /not as vigil writes it/],
    ] as const
    for (const [text, sentence] of sentences) {
      expect(() => readInvite(text, 999)).toThrow(sentence)
      expect(() => readInvite(text, 999)).toThrow(FleetError)
    }
    expect(() => readInvite(line, 1_000)).toThrow(/expired/)
    for (let at = 0; at < line.length; at++)
      expect(() => readInvite(line.slice(0, at), 999)).toThrow(FleetError)
  })
})

describe('a request to join', () => {
  const bytes = joinRequest(invite, self, joiner)
  const read = (sent: Uint8Array, pending = [invite], now = 999) =>
    readJoinRequest(sent, fleet, pending, now)

  it('[FL22] says who joins, with the keys that it has', () => {
    const { request, invite: used } = read(bytes)
    const { signPublic: signKey, boxPublic: boxKey } = joiner
    expect(request).toEqual({ ...self, fleet, invite: invite.id, signKey, boxKey })
    expect(used).toBe(invite)
    expect(bytes.includes(invite.secret)).toBe(false)
  })

  it('[FL22] is refused without the secret, too late, twice, or changed', () => {
    const { secret } = newInvite(terms, founder.signPublic)
    expect(() => read(joinRequest({ ...invite, secret }, self, joiner))).toThrow(/not made with/)
    expect(() => read(bytes, [invite], 1_000)).toThrow(/expired/)
    expect(() => read(bytes, [])).toThrow(/used or withdrawn/)
    expect(() => readJoinRequest(bytes, 'f'.repeat(16), [invite], 1)).toThrow(/another fleet/)
    // The secret is right, but the key is of another machine.
    const borrowed = { ...stranger, signPublic: joiner.signPublic }
    expect(() => read(joinRequest(invite, self, borrowed))).toThrow(/not made with/)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => read(changed)).toThrow(FleetError)
      expect(() => read(bytes.subarray(0, at))).toThrow(FleetError)
    }
    expect(() => read(Buffer.alloc(10_000, 'x'))).toThrow(FleetError)
  })
})

describe('a welcome', () => {
  const member = (machine: string, keys: typeof founder) => {
    const { signPublic: signKey, boxPublic: boxKey } = keys
    return { machine, name: 'box', signKey, boxKey, joinedAt: 1 }
  }
  const { roster: alone, groupKey } = newRoster(fleet, member(A, founder))
  const roster = withMember(alone, groupKey, member(B, joiner))
  const rosterBytes = sealRoster(roster, founder, 5)
  const bytes = welcome(invite.secret, joiner.boxPublic, rosterBytes, founder)

  it('[FL23] brings the roster and the group key to the new member alone', () => {
    const read = readWelcome(bytes, invite, B, joiner)
    expect(read).toEqual({ founderKey: founder.signPublic, roster, rosterBytes })
    expect(groupKeyIn(read.roster, B, joiner.boxPrivate)).toEqual(groupKey)
    expect(() => readWelcome(bytes, invite, B, stranger)).toThrow(/not from the machine/)
    expect(invite.fingerprint).toBe(fingerprintOf(founder.signPublic))
  })

  it('[FL23] is refused from another founder, without the secret, or changed', () => {
    const own = newRoster(fleet, member(A, stranger))
    const forgedRoster = withMember(own.roster, own.groupKey, member(B, joiner))
    const from = (keys: typeof founder, sent: Uint8Array, secret = invite.secret) =>
      readWelcome(welcome(secret, joiner.boxPublic, sent, keys), invite, B, joiner)
    expect(() => from(stranger, sealRoster(forgedRoster, stranger, 5))).toThrow(/not from the mach/)
    // It names the founder, and cannot sign for it.
    const posing = { ...stranger, signPublic: founder.signPublic }
    expect(() => from(posing, rosterBytes)).toThrow(/not from the machine/)
    const { secret } = newInvite(terms, founder.signPublic)
    expect(() => from(founder, rosterBytes, secret)).toThrow(/not from the machine/)
    expect(() => from(founder, Buffer.from('x'))).toThrow(/no valid list/)
    expect(() => from(founder, sealRoster(alone, founder, 5))).toThrow(/did not take this machine/)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => readWelcome(changed, invite, B, joiner)).toThrow(FleetError)
    }
    expect(() => readWelcome(bytes.subarray(0, 50), invite, B, joiner)).toThrow(FleetError)
  })
})
