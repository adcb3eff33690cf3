import { beforeEach, expect, it } from 'vitest'
import { membersOf, NOW, type TestMember } from '../../../test/support/members.ts'
import { sealRoster, withoutMember } from '../../fleet/roster.ts'

let founder: TestMember
let second: TestMember
let third: TestMember

beforeEach(() => {
  const all = membersOf(3)
  founder = all[0] as TestMember
  second = all[1] as TestMember
  third = all[2] as TestMember
})

const without = (machine: string, by = founder) =>
  sealRoster(
    withoutMember(founder.membership.roster, machine).roster,
    by.membership.state.keys,
    NOW,
  )

it('[FL136] a later roster counts, and is stored with its key before', () => {
  const { membership, written } = second
  const bytes = without(third.membership.machine)
  expect(membership.isMember(third.membership.machine)).toBe(true)
  expect(membership.takeRoster(bytes)).toBe(true)
  expect(membership.isMember(third.membership.machine)).toBe(false)
  expect(written.at(-1)?.roster).toBe(bytes.toString('base64url'))
  expect(Object.keys(written.at(-1)?.groupKeys ?? {})).toHaveLength(2)
  expect(membership.rightOf(third.membership.machine)).toBe('nothing')
})

it('[FL136] what cannot be stored does not count', () => {
  const { membership } = second
  Object.assign(second.written, {
    push: () => {
      throw new Error('the disk is full')
    },
  })
  expect(() => membership.takeRoster(without(third.membership.machine))).toThrow('full')
  expect(membership.isMember(third.membership.machine)).toBe(true)
})

it('[FL136] the same, an older one and one of another signer change nothing', () => {
  const { membership, written } = second
  const old = Buffer.from(membership.state.roster, 'base64url')
  expect(membership.takeRoster(old)).toBe(false)
  expect(membership.takeRoster(without(founder.membership.machine.replace('1', '3'), third))).toBe(
    false,
  )
  membership.takeRoster(without(third.membership.machine))
  const count = written.length
  expect(membership.takeRoster(old)).toBe(false)
  expect(written).toHaveLength(count)
})

it('[FL136] what a removed machine seals is refused by those that know it', () => {
  const about = second.membership.machine
  const sealed = () => third.membership.seal('call', about, { id: 'x' })
  expect(second.membership.open(sealed(), { kind: 'call', about }).ok).toBe(true)
  second.membership.takeRoster(without(third.membership.machine))
  expect(second.membership.open(sealed(), { kind: 'call', about })).toMatchObject({ ok: false })
  const later = second.membership.seal('row', 'row.x', {})
  expect(third.membership.open(later, { kind: 'row', about: 'row.x' }).ok).toBe(false)
})
