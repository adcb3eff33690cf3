import { expect, it } from 'vitest'
import { OTHER_MACHINE, OWN_MACHINE } from '../../test/support/machines.ts'
import {
  digestOf,
  HOUR_MS,
  keyOf,
  memberOf,
  one,
  Rig,
  START,
} from '../../test/support/remote-rig.ts'

it('[FL40] a row has the machine, its name, and requests by their address', () => {
  const rig = new Rig()
  rig.beat()
  rig.take('one', { asks: ['a', 'b'], host: 'any', title: 't' })
  expect(rig.viewer.ids()).toEqual([one])
  const asks = [`${OTHER_MACHINE}/a`, `${OTHER_MACHINE}/b`]
  expect(rig.viewer.row(one)).toMatchObject({ machine: OTHER_MACHINE, host: 'there', asks })
  expect(rig.machine).toMatchObject({ name: 'there', version: '9.9', sessions: 1, online: true })
  expect(rig.viewer.row('one')).toBeUndefined()
})

it('[FL41] an older row, a repeated one and one under another key change nothing', () => {
  const rig = new Rig()
  rig.take('one', { title: 'new' }, 10)
  rig.take('one', { title: 'old' }, 9)
  rig.take('one', { title: 'same' }, 10)
  rig.viewer.takeRow({ ...rig.rowOf('one', {}, 12), key: keyOf('two') }, rig.at)
  expect(rig.viewer.row(one)?.title).toBe('new')
  expect(rig.rows).toEqual([one])
  rig.viewer.takeDeleted({ ...rig.origin(), key: keyOf('one') }, rig.at)
  rig.take('one', {}, 10)
  expect(rig.viewer.ids()).toEqual([])
  rig.take('one', {}, 11)
  expect(rig.viewer.ids()).toEqual([one])
})

it('[FL41] a deletion from before the row leaves it: a listing is ahead of the watch', () => {
  const rig = new Rig()
  const deleted = { ...rig.origin(1_000), key: keyOf('one') }
  rig.take('one')
  rig.viewer.takeDeleted(deleted, rig.at)
  expect(rig.viewer.ids()).toEqual([one])
})

it('[FL42] rows that a reconnection does not show are gone', () => {
  const rig = new Rig()
  rig.beat()
  const kept = rig.take('one')
  rig.take('two')
  rig.viewer.beginSnapshot()
  rig.viewer.takeRow({ ...kept, isOld: true }, rig.at)
  rig.beat({}, 0, true)
  expect(rig.viewer.ids().length).toBe(2)
  rig.viewer.endSnapshot(rig.at)
  expect(rig.viewer.ids()).toEqual([one])
})

it('[FL42] rows of a bucket that was lost stay until the machine says what it has', () => {
  const rig = new Rig()
  rig.beat()
  rig.take('one')
  rig.take('two')
  rig.viewer.beginSnapshot()
  rig.viewer.endSnapshot(rig.at)
  rig.beat({ rows: 0, digest: '' })
  expect(rig.viewer.ids().length).toBe(2)
  const again = rig.take('one')
  rig.beat(digestOf([again]))
  expect(rig.viewer.ids()).toEqual([one])
})

it('[FL43][FL44] times are by this machine’s clock, also after it is set', () => {
  const rig = new Rig()
  rig.beat()
  rig.take('one', { since: START + HOUR_MS })
  expect(rig.machine?.clockOffsetMs).toBe(-HOUR_MS)
  expect(rig.viewer.row(one)?.since).toBe(START)
  rig.rows.length = 0
  rig.wallMs = 60_000
  rig.pass(1_000)
  expect(rig.viewer.row(one)?.since).toBe(START + 60_000)
  expect(rig.rows).toEqual([one])
})

it('[FL45] a machine is unreachable 10 s after its last heartbeat, and its rows are stale', () => {
  const rig = new Rig()
  rig.beat(digestOf([rig.take('one')]))
  expect(rig.viewer.row(one)).toMatchObject({ stale: null, live: true })
  rig.pass(9_999)
  expect(rig.machine?.online).toBe(true)
  expect(rig.viewer.nextTick()).toBe(10_000)
  rig.rows.length = 0
  rig.wallMs = -HOUR_MS
  rig.pass(1)
  expect(rig.machine).toMatchObject({ online: false, lastHeardAt: START })
  expect(rig.viewer.row(one)).toMatchObject({ stale: START, live: false })
  expect(rig.rows).toContain(one)
  rig.beat()
  expect(rig.viewer.row(one)).toMatchObject({ stale: null, live: true })
})

it('[FL45] a machine that says that it ends is unreachable at once', () => {
  const rig = new Rig()
  rig.beat()
  rig.take('one')
  rig.pass(1_000)
  rig.beat({ isEnding: true })
  expect(rig.viewer.row(one)).toMatchObject({ stale: START + 1_000, live: false })
})

it('[FL45] an old heartbeat counts from when it was stored, by the server’s clock', () => {
  for (const [ageMs, online] of [
    [4_000, true],
    [10_000, false],
  ] as const) {
    const rig = new Rig()
    rig.beat({}, ageMs, true)
    expect(rig.machine?.online).toBe(false)
    const own = { ...rig.origin(), machine: OWN_MACHINE }
    const beat = { name: '', version: '', run: '', startedAt: 0, isEnding: false, troubles: [] }
    rig.viewer.takeBeat({ ...own, beat: { ...beat, rows: 0, digest: '' } }, rig.at)
    expect(rig.machine).toMatchObject({ online, lastHeardAt: START - ageMs })
    rig.pass(6_000)
    expect(rig.machine?.online).toBe(false)
  }
})

it('[FL46] rows that a heartbeat counts and that do not come are missing, and fetched', () => {
  const rig = new Rig()
  const rows = [rig.take('one'), rig.rowOf('two')]
  rig.beat(digestOf(rows))
  rig.pass(1_999)
  expect(rig.machine?.troubles).toEqual([])
  rig.pass(1)
  expect(rig.machine).toMatchObject({ isComplete: false })
  expect(rig.machine?.troubles).toEqual(['rows of there are missing'])
  expect(rig.refetched).toEqual([OTHER_MACHINE])
  const later = rig.take('three')
  rig.viewer.takeListing(OTHER_MACHINE, rows, rig.at)
  expect(rig.viewer.ids().length).toBe(3)
  rig.beat(digestOf([...rows, later]))
  expect(rig.machine).toMatchObject({ isComplete: true, troubles: [] })
  rig.viewer.takeListing(OTHER_MACHINE, [rig.rowOf('two')], rig.at)
  expect(rig.viewer.ids()).toEqual([`${OTHER_MACHINE}/two`])
})

it('[FL46] a listing without a single row removes what was there at the heartbeat', () => {
  const rig = new Rig()
  rig.take('one')
  rig.beat(digestOf([]))
  rig.pass(2_000)
  expect(rig.refetched).toEqual([OTHER_MACHINE])
  rig.viewer.takeListing(OTHER_MACHINE, [], rig.at)
  expect(rig.viewer.ids()).toEqual([])
  expect(rig.machine).toMatchObject({ isComplete: true, troubles: [] })
})

it('[FL46] rows that changed after a heartbeat was made, or come soon, are not missing', () => {
  const rig = new Rig()
  const first = rig.take('one')
  rig.take('one')
  rig.beat(digestOf([first]))
  expect(rig.machine?.isComplete).toBe(true)
  const late = rig.rowOf('two')
  rig.beat(digestOf([rig.take('one'), late]))
  rig.pass(1_000)
  rig.viewer.takeRow(late, rig.at)
  rig.pass(5_000)
  expect(rig.machine).toMatchObject({ isComplete: true, troubles: [] })
  expect(rig.refetched).toEqual([])
})

it('[FL47] a machine has at most 10,000 rows here, a fleet 3,000 machines', () => {
  const rig = new Rig()
  for (let i = 0; i <= 10_000; i++) rig.take(`s${i}`)
  expect(rig.machine?.sessions).toBe(10_000)
  const words = 'there has more sessions than fit here: some are not shown'
  expect(rig.machine?.troubles).toEqual([words])
  const ids = Array.from({ length: 3_001 }, (_, i) => `m${String(i).padStart(24, '0')}`)
  rig.viewer.setMembers(ids.map(memberOf), rig.at)
  expect(rig.viewer.machines().length).toBe(3_000)
})

it('[FL48] two runs that take turns are two machines with one id; a restart is not', () => {
  const rig = new Rig()
  for (const run of ['a', 'a', 'b', 'a', 'b', 'a']) {
    expect(rig.machine?.troubles).toEqual([])
    rig.pass(5_000)
    rig.beat({ run })
  }
  expect(rig.machine?.troubles).toEqual(['two machines use the id of there'])
  rig.pass(60_001)
  rig.beat({ run: 'b' })
  expect(rig.machine?.troubles).toEqual([])
})

it('[FL49] a removed machine’s rows vanish at once, and a member’s rows are fetched', () => {
  const rig = new Rig()
  rig.take('one')
  rig.rows.length = 0
  rig.viewer.setMembers([memberOf(OWN_MACHINE)], rig.at)
  expect(rig.viewer.machines()).toEqual([])
  expect(rig.viewer.row(one)).toBeUndefined()
  expect(rig.rows).toEqual([one])
  rig.take('one')
  rig.beat()
  expect(rig.viewer.ids()).toEqual([])
  rig.viewer.setMembers([memberOf(OTHER_MACHINE)], rig.at)
  expect(rig.refetched).toEqual([OTHER_MACHINE])
})
