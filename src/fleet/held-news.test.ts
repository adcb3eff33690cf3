import { beforeEach, describe, expect, it } from 'vitest'
import { OTHER_MACHINE, OWN_MACHINE } from '../../test/support/machines.ts'
import { aSession } from '../../test/support/sessions.ts'
import { RemoteMachines } from './remote-machines.ts'
import { RowDigest } from './row-digest.ts'
import { rowKeyOf } from './row-key.ts'
import type { Heartbeat } from './shapes.ts'

const START = 1_800_000_000_000
const one = `${OTHER_MACHINE}/one`
const [key, other] = [rowKeyOf(OTHER_MACHINE, 'one'), rowKeyOf(OTHER_MACHINE, 'two')]

let viewer: RemoteMachines
let told: string[]
let refetched: string[]
/** Of the rows that the machine has stored. */
let stored: RowDigest
let now = 0
/** Whether machines reply when they are asked, which they do at once. */
let replies = true

const at = () => ({ mono: now, wall: START + now })

beforeEach(() => {
  now = 0
  replies = true
  refetched = []
  stored = new RowDigest()
  viewer = new RemoteMachines({
    own: OWN_MACHINE,
    refetch: (machine) => void refetched.push(machine),
    ask: (machine) => replies && prove(machine),
  })
  viewer.setMembers([memberOf(OTHER_MACHINE)], at())
  refetched = []
  told = []
  viewer.onRows((addresses) => void told.push(...addresses))
  viewer.onMachine((machine) => void told.push(machine))
})

function memberOf(machine: string) {
  return { machine, name: 'there', signKey: '', boxKey: '', joinedAt: 0 }
}

function prove(machine: string): void {
  viewer.prove(machine, { at: START + now, rows: stored.count, digest: stored.text }, at())
}

function origin(rev: number, isOld: boolean) {
  return { machine: OTHER_MACHINE, rev, at: START + now, storedAt: START + now, isOld }
}

function beat(rev: number, isOld = false, over: Partial<Heartbeat> = {}): void {
  const about = { name: 'there', version: '1', run: 'r', startedAt: 0, isEnding: false }
  const whole = { ...about, troubles: [], rows: 0, digest: '', ...over }
  viewer.takeBeat({ ...origin(rev, isOld), beat: whole }, at())
}

function row(rev: number, isOld: boolean, session = 'one'): void {
  const shared = { session: aSession({ id: session }), isCut: false }
  const entry = { ...origin(rev, isOld), key: rowKeyOf(OTHER_MACHINE, session), row: shared }
  stored.add(entry.key, rev)
  viewer.takeRow(entry, at())
}

function pass(ms: number): void {
  now += ms
  viewer.tick(at())
}

it('[FL171] the first snapshot is passed on when it is whole and the clock is known, once', () => {
  viewer.beginSnapshot()
  row(1, true)
  beat(2, true)
  viewer.endSnapshot(at())
  expect(told).toEqual([])
  viewer.hearServer(START, now, at())
  expect(told).toEqual([OTHER_MACHINE, one])
  expect(viewer.row(one)?.stale).toBeNull()
  row(3, false)
  expect(told.slice(2)).toEqual([one])
})

describe('[FL171] a machine that was asked', () => {
  beforeEach(() => {
    replies = false
    viewer.beginSnapshot()
    row(1, true)
    beat(2, true)
    viewer.endSnapshot(at())
    viewer.hearServer(START, now, at())
  })

  it('is shown once it has replied', () => {
    expect(told).toEqual([])
    prove(OTHER_MACHINE)
    expect(told).toEqual([OTHER_MACHINE, one])
    expect(viewer.row(one)?.stale).toBeNull()
  })

  it('is shown as unreachable once it is known that it does not reply', () => {
    viewer.unanswered(OTHER_MACHINE)
    expect(told).toEqual([OTHER_MACHINE, one])
    expect(viewer.row(one)?.stale).toBe(START)
    told = []
    prove(OTHER_MACHINE)
    expect(told).toContain(one)
    expect(viewer.row(one)?.stale).toBeNull()
  })

  it('holds no other back, and not longer than five seconds', () => {
    const third = `m${'3'.repeat(24)}`
    viewer.setMembers([memberOf(OTHER_MACHINE), memberOf(third)], at())
    const shared = { session: aSession({ id: 'one' }), isCut: false }
    const its = { ...origin(3, false), machine: third, key: rowKeyOf(third, 'one'), row: shared }
    told = []
    viewer.takeRow(its, at())
    expect(told).toContain(`${third}/one`)
    expect(told).not.toContain(one)
    pass(5_000)
    expect(told.slice(-2)).toEqual([OTHER_MACHINE, one])
  })
})

it('[FL171] is passed on after five seconds, whatever is missing', () => {
  viewer.beginSnapshot()
  row(1, true)
  expect(viewer.nextTick()).toBe(5_000)
  pass(4_999)
  expect(told).toEqual([])
  pass(1)
  expect(told).toEqual([one])
})

it('[FL171] a later snapshot holds nothing back: what is shown may have become old', () => {
  viewer.beginSnapshot()
  viewer.endSnapshot(at())
  beat(1)
  told = []
  viewer.beginSnapshot()
  row(2, true)
  expect(told).toEqual([one])
  pass(10_000)
  expect(told).toEqual([one, OTHER_MACHINE, one])
})

it('[FL172] a heartbeat that changes nothing that is shown is not passed on', () => {
  beat(1)
  beat(2)
  told = []
  for (let rev = 3; rev < 8; rev++) {
    now += 1_000
    beat(rev)
  }
  expect(told).toEqual([])
  beat(9, false, { troubles: ['the disk is full'] })
  expect(told).toEqual([OTHER_MACHINE])
})

it('[FL46] a heartbeat that was made before the first row after a snapshot is complete', () => {
  viewer.beginSnapshot()
  row(1, true)
  beat(1, true)
  viewer.endSnapshot(at())
  row(2, false, 'two')
  const digest = new RowDigest()
  digest.add(key, 1)
  beat(3, false, { rows: digest.count, digest: digest.text })
  pass(2_000)
  expect([refetched, viewer.machines()[0]?.isComplete]).toEqual([[], true])
  digest.add(other, 1)
  beat(4, false, { rows: digest.count, digest: digest.text })
  pass(2_000)
  expect(refetched).toEqual([OTHER_MACHINE])
})
