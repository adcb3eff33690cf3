import { expect, it } from 'vitest'
import { OTHER_MACHINE } from '../../test/support/machines.ts'
import { digestOf, one, Rig, START } from '../../test/support/remote-rig.ts'

it('[FL160] a machine that does not reply to this run is not online, whatever is replayed', () => {
  const rig = new Rig()
  rig.replies = false
  const rows = [rig.take('one')]
  for (let beats = 0; beats < 3; beats++) {
    rig.beat(digestOf(rows))
    expect(rig.machine?.online).toBe(false)
    expect(rig.viewer.row(one)).toMatchObject({ stale: START + rig.now, live: false })
    rig.pass(5_000)
  }
  expect(rig.asked).toEqual([OTHER_MACHINE, OTHER_MACHINE, OTHER_MACHINE])
  rig.beat(digestOf(rows))
  rig.prove()
  expect(rig.machine?.online).toBe(true)
  expect(rig.viewer.row(one)).toMatchObject({ stale: null, live: true })
})

it('[FL160] heartbeats that a server holds back for an hour are not fresh', () => {
  const rig = new Rig()
  const rows = [rig.take('one')]
  rig.beat(digestOf(rows))
  rig.pass(14_000)
  rig.replies = false
  // Recorded an hour ago; the server says that it has stored it just now.
  rig.ownerMs -= 3_600_000
  rig.beat(digestOf(rows))
  expect(rig.machine?.online).toBe(false)
  rig.ownerMs += 3_600_000
  rig.beat(digestOf(rows))
  expect(rig.machine?.online).toBe(true)
})

it('[FL160] a machine whose clock is set stays online: it is asked, and says so', () => {
  const rig = new Rig()
  const rows = [rig.take('one')]
  rig.beat(digestOf(rows))
  expect(rig.asked).toHaveLength(1)
  for (const step of [7_200_000, -7_200_000]) {
    rig.pass(5_000)
    rig.ownerMs += step
    rig.beat(digestOf(rows))
    expect(rig.machine?.online).toBe(true)
  }
  expect(rig.asked).toHaveLength(3)
  rig.pass(5_000)
  rig.beat(digestOf(rows))
  expect(rig.asked).toHaveLength(3)
})

it('[FL161] a server that stamps other times shifts no age', () => {
  const rig = new Rig()
  const since = START + rig.ownerMs - 60_000
  rig.take('one', { since })
  rig.beat()
  rig.serverMs += 24 * 3_600_000
  for (let beats = 0; beats < 4; beats++) {
    rig.pass(5_000)
    rig.beat()
  }
  expect(Math.abs((rig.viewer.row(one)?.since ?? 0) - (START - 60_000))).toBeLessThan(3_100)
})

it('[FL162] after a start rows are fresh when the machine says that they are its newest', () => {
  const rig = new Rig()
  const old = rig.rowOf('one', { title: 'old' })
  const newest = rig.rowOf('one', { title: 'newest' })
  rig.viewer.takeRow({ ...old, isOld: true }, rig.at)
  rig.beat(digestOf([newest]), 0, true)
  rig.viewer.takeBeat({ ...rig.beatOf(digestOf([newest])) }, rig.at)
  expect(rig.machine?.online).toBe(true)
  expect(rig.viewer.row(one)).toMatchObject({ title: 'old', live: false })
  rig.pass(2_000)
  expect(rig.viewer.row(one)?.stale).not.toBe(null)
  expect(rig.machine?.troubles).toEqual(['rows of there are missing'])
  rig.viewer.takeRow(newest, rig.at)
  rig.pass(1_000)
  expect(rig.viewer.row(one)).toMatchObject({ title: 'newest', stale: null, live: true })
  // Later the rows of this run are known, and a missing one is a trouble.
  rig.beat(digestOf([newest, rig.rowOf('two')]))
  rig.pass(2_000)
  expect(rig.viewer.row(one)).toMatchObject({ stale: null })
})

it('[FL49] a machine that comes back with other keys is another one', () => {
  const rig = new Rig()
  rig.take('one')
  rig.rejoin('another key')
  expect(rig.viewer.row(one)).toBeUndefined()
})
