import { beforeEach, expect, it } from 'vitest'
import { joinedLater, machineNumber, membersOf, NOW } from '../../../test/support/members.ts'
import { aSession } from '../../../test/support/sessions.ts'
import type { RemoteMachines } from '../../fleet/remote-machines.ts'
import type { RowEntry } from '../../fleet/remote-rows.ts'
import type { BeatEntry } from '../../fleet/remote-shapes.ts'
import { rowKeyOf } from '../../fleet/row-key.ts'
import { BucketReader } from './bucket-reader.ts'
import type { Membership } from './membership.ts'

const BEAT = {
  ...{ name: 'x', version: '1', run: 'r', startedAt: 0, isEnding: false, troubles: [] },
  ...{ rows: 0, digest: '' },
}

let two: Membership
let three: Membership
let reader: BucketReader
let beats: BeatEntry[]
let rows: RowEntry[]
let own: string[]
/** The roster that the reader's machine does not have yet: with machine 3. */
let later: Buffer

function readerOf(membership: Membership): BucketReader {
  ;[beats, rows, own] = [[], [], []]
  const remote = {
    takeBeat: (entry: BeatEntry) => void beats.push(entry),
    takeRow: (entry: RowEntry) => void rows.push(entry),
  } as unknown as RemoteMachines
  return new BucketReader({
    ...{ membership, remote },
    moment: () => ({ mono: 0, wall: NOW }),
    onOwnBeat: ({ run }) => void own.push(run),
    onOwnRow: (key) => void own.push(key),
    onRoster: () => void own.push('roster'),
  })
}

beforeEach(() => {
  const all = membersOf(3)
  two = all[1]?.membership as Membership
  three = all[2]?.membership as Membership
  later = Buffer.from(three.state.roster, 'base64url')
  reader = readerOf(two)
})

function put(key: string, value: Uint8Array, isOld = false): void {
  reader.take({ key, value, storedAt: NOW, isOld })
}

const keyOf = (n: number) => rowKeyOf(machineNumber(n), 's')
const rowOf = (by: Membership, about: string) =>
  by.seal('row', about, { session: aSession({ id: 's' }), isCut: false })

it('[FL138] what a machine signed for its own key counts', () => {
  put(keyOf(3), rowOf(three, keyOf(3)))
  put(`beat.${machineNumber(3)}`, three.seal('beat', `beat.${machineNumber(3)}`, BEAT))
  expect([rows.length, beats.length]).toEqual([1, 1])
  put(keyOf(2), rowOf(two, keyOf(2)))
  expect(own).toEqual([keyOf(2)])
})

it('[FL138] what another machine signed, or for another key or kind, does not', () => {
  const beatKey = `beat.${machineNumber(3)}`
  put(keyOf(3), rowOf(two, keyOf(3)))
  put(keyOf(3), rowOf(three, rowKeyOf(machineNumber(3), 'another')))
  put(keyOf(1), rowOf(three, keyOf(1)))
  put(beatKey, rowOf(three, beatKey))
  put(beatKey, two.seal('beat', beatKey, BEAT))
  put('roster', rowOf(three, 'roster'))
  put(keyOf(3), Buffer.from('x'))
  expect([rows, beats, own]).toEqual([[], [], []])
})

it('[FL138] a heartbeat that is replayed does not count', () => {
  const key = `beat.${machineNumber(3)}`
  const [first, second] = [three.seal('beat', key, BEAT), three.seal('beat', key, BEAT)]
  for (const value of [second, first, second]) put(key, value)
  expect(beats).toHaveLength(1)
})

it('[FL139] what came before the roster that names its machine is read with it', () => {
  const [founder, second] = membersOf(2)
  if (!founder || !second) throw new Error('no fleet')
  const before = Buffer.from(founder.membership.state.roster, 'base64url')
  reader = readerOf(second.membership)
  expect(second.membership.takeRoster(before)).toBe(false)
  const { member, roster } = joinedLater(founder.membership)
  const key = rowKeyOf(member.machine, 's')
  put(key, rowOf(member, key))
  expect(rows).toEqual([])
  put('roster', roster)
  expect([own, rows.map((row) => row.key)]).toEqual([['roster'], [key]])
  put('roster', later)
  expect(own).toEqual(['roster'])
})
