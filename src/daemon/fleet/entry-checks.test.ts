import { beforeEach, expect, it } from 'vitest'
import { joinedLater, machineNumber, membersOf, NOW } from '../../../test/support/members.ts'
import { aSession } from '../../../test/support/sessions.ts'
import type { OpenedEnvelope } from '../../fleet/envelope.ts'
import { sealRoster, withoutMember } from '../../fleet/roster.ts'
import { rowKeyOf } from '../../fleet/row-key.ts'
import { EntryChecks, WAITING_MAX_BYTES } from './entry-checks.ts'
import type { Membership } from './membership.ts'

let founder: Membership
let two: Membership
let taken: string[]
let faults: unknown[]

beforeEach(() => {
  const [first, second] = membersOf(2)
  founder = first?.membership as Membership
  two = second?.membership as Membership
  taken = []
  faults = []
})

const checksOf = (membership: Pick<Membership, 'check' | 'open'>) =>
  new EntryChecks({
    membership,
    onFault: (error) => void faults.push(error),
    onFull: () => void faults.push('full'),
  })
const keyOf = (session: string, n = 1) => rowKeyOf(machineNumber(n), session)

function rowOf(session: string, by = founder, n = 1): Uint8Array {
  return by.seal('row', keyOf(session, n), { session: aSession({ id: session }), isCut: false })
}

function add(checks: EntryChecks, session: string, value: Uint8Array | undefined, n = 1): void {
  const entry = { key: keyOf(session, n), value, storedAt: NOW, isOld: false }
  checks.add(entry, (open) => void taken.push(`${session} ${open ? wordOf(open()) : 'gone'}`))
}

const wordOf = (opened: OpenedEnvelope) => (opened.ok ? 'ok' : opened.why)
const whole = (checks: EntryChecks) => new Promise<void>((resolve) => checks.after(resolve))

it('[FL170] values are read in their order, each after its signature was checked', async () => {
  const checks = checksOf(two)
  const forged = Uint8Array.from(rowOf('forged'))
  forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1
  const names = Array.from({ length: 200 }, (_, n) => `s${n}`)
  for (const name of names) add(checks, name, rowOf(name))
  add(checks, 'forged', forged)
  add(checks, 'deleted', undefined)
  add(checks, 'last', rowOf('last'))
  expect(taken).toEqual([])
  await whole(checks)
  const expected = [...names.map((name) => `${name} ok`), 'forged signature', 'deleted gone']
  expect(taken).toEqual([...expected, 'last ok'])
})

it('[FL170] no more than 64 are checked at a time', async () => {
  let [now, most] = [0, 0]
  const checks = checksOf({
    open: (...given) => two.open(...given),
    check: (bytes, expected, then) => {
      now += 1
      most = Math.max(most, now)
      two.check(bytes, expected, (open) => {
        now -= 1
        then(open)
      })
    },
  })
  for (let n = 0; n < 300; n++) add(checks, `s${n}`, rowOf(`s${n}`))
  await whole(checks)
  expect([taken.length, most]).toEqual([300, 64])
})

it('[FL170] a key counts as the roster has it when the value is read', async () => {
  const { member, roster } = joinedLater(founder)
  const early = rowOf('early', member, 9)
  const checks = checksOf(two)
  add(checks, 'first', rowOf('first'))
  add(checks, 'early', early, 9)
  two.takeRoster(roster)
  await whole(checks)
  expect(taken).toEqual(['first ok', 'early ok'])
})

it('[FL170] a few are checked at once, and wake no other thread', async () => {
  const checks = checksOf({ ...refusing, open: (...given) => two.open(...given) })
  const forged = Uint8Array.from(rowOf('forged'))
  forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1
  add(checks, 'one', rowOf('one'))
  add(checks, 'forged', forged)
  await new Promise((resolve) => setTimeout(resolve))
  await whole(checks)
  expect(taken).toEqual(['one ok', 'forged signature'])
})

const refusing: Pick<Membership, 'check'> = {
  check: () => {
    throw new Error('another thread was asked')
  },
}

it('[FL170] a machine that was removed meanwhile is a stranger', async () => {
  const { member, roster } = joinedLater(founder)
  two.takeRoster(roster)
  const checks = checksOf({
    open: (...given) => two.open(...given),
    check: (bytes, expected, then) =>
      two.check(bytes, { ...expected }, (open) => {
        remove()
        then(open)
      }),
  })
  const remove = () => two.takeRoster(withoutNine())
  for (const name of ['a', 'b', 'c', 'd']) add(checks, name, rowOf(name, member, 9), 9)
  await whole(checks)
  expect(taken).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name} stranger`))
})

it('[FL170] what a listener throws keeps nothing from the values behind it', async () => {
  const checks = checksOf(two)
  checks.add({ key: 'roster', value: undefined, storedAt: NOW, isOld: true }, () => {
    throw new Error('a listener')
  })
  for (let n = 0; n < 5_000; n++) add(checks, 'malformed', new Uint8Array(3))
  await whole(checks)
  expect([taken.length, String(faults)]).toEqual([5_000, 'Error: a listener'])
  add(checks, 'dropped', rowOf('dropped'))
  checks.clear()
  await whole(checks)
  expect(taken).toHaveLength(5_000)
})

function withoutNine(): Uint8Array {
  const { roster } = withoutMember(founder.roster, machineNumber(9))
  return sealRoster(roster, founder.state.keys, NOW)
}

it('[FL203] more than 64 MB are not kept, and what is read makes room', async () => {
  const checks = checksOf(two)
  const large = new Uint8Array(1_000_000)
  const fits = Math.floor(WAITING_MAX_BYTES / 1_000_300)
  for (let n = 0; n < fits; n++) add(checks, `s${n}`, large)
  await whole(checks)
  expect([taken.length, faults]).toEqual([fits, []])
  for (let n = 0; n <= fits; n++) add(checks, `s${n}`, large)
  expect(faults).toEqual(['full'])
  add(checks, 'later', rowOf('later'))
  await whole(checks)
  expect(taken.slice(fits)).toEqual(['later ok'])
})
