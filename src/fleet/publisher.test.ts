import { expect, it } from 'vitest'
import { OWN_MACHINE } from '../../test/support/machines.ts'
import { aSession } from '../../test/support/sessions.ts'
import type { Session } from '../protocol/session.ts'
import { RowPublisher } from './publisher.ts'
import { RowDigest } from './row-digest.ts'
import { rowKeyOf } from './row-key.ts'
import { SHARED_MAX } from './shared-choice.ts'
import { TransportError, type TransportFault } from './transport.ts'

const ABOUT = { name: '', version: '', run: '', startedAt: 0, isEnding: false, troubles: [] }
const keyOf = (id: string) => rowKeyOf(OWN_MACHINE, id)

/** A list, and a bucket whose replies the test gives. */
class Rig {
  readonly list = new Map<string, Session>()
  readonly bucket = new Map<string, string>()
  /** What was sent and not answered. */
  readonly sent: { key: string; title: string | null | undefined; reply: Reply }[] = []
  reconciled = 0
  due = 0
  now = 0
  #rev = 0
  readonly publisher = new RowPublisher({
    machine: OWN_MACHINE,
    ids: () => this.list.keys(),
    row: (id) => {
      const session = this.list.get(id)
      return session && { session, isCut: false }
    },
    put: (key, { session }) => {
      this.#rev += 1
      const rev = this.#rev
      return this.#send(key, session.title).then(() => rev)
    },
    delete: (key) => this.#send(key, undefined),
    now: () => this.now,
    onDue: () => {
      this.due += 1
    },
    onReconciled: () => {
      this.reconciled += 1
    },
  })

  change(id: string, title: string | undefined, over: Partial<Session> = {}): void {
    if (title === undefined) this.list.delete(id)
    else this.list.set(id, aSession({ id, title, ...over }))
    this.publisher.touch(id)
  }

  /** Answers all that was sent until now. */
  async reply(fault?: TransportFault): Promise<void> {
    for (const { key, title, reply } of this.sent.splice(0)) {
      if (!fault && title) this.bucket.set(key, title)
      if (!fault && title === undefined) this.bucket.delete(key)
      reply(fault)
    }
    for (let i = 0; i < 8; i++) await undefined
  }

  async replyAll(): Promise<void> {
    while (this.sent.length > 0) await this.reply()
  }

  titles(): unknown[] {
    return this.sent.map(({ title }) => title)
  }

  #send(key: string, title: string | null | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const reply = (fault?: TransportFault) =>
        fault ? reject(new TransportError(fault, fault)) : resolve()
      this.sent.push({ key, title, reply })
    })
  }
}

type Reply = (fault?: TransportFault) => void

function connected(): Rig {
  const rig = new Rig()
  rig.publisher.reconcile([])
  return rig
}

it('[FL31] a row’s key has the machine and a hash of the session’s id', () => {
  expect(keyOf('a/b c')).toMatch(new RegExp(`^row\\.${OWN_MACHINE}\\.[\\w-]{22}$`))
  expect(keyOf('a')).not.toBe(keyOf('b'))
})

it('[FL32] an unchanged row is not put again', async () => {
  const rig = connected()
  rig.change('one', 'v1')
  await rig.reply()
  rig.change('one', 'v1')
  expect(rig.sent).toEqual([])
  rig.change('one', 'v2')
  expect(rig.titles()).toEqual(['v2'])
})

it('[FL32] under another key all rows are put again, once', async () => {
  const rig = connected()
  rig.change('one', 'v1')
  await rig.reply()
  rig.publisher.renew()
  expect(rig.titles()).toEqual(['v1'])
  await rig.reply()
  rig.publisher.beat(ABOUT)
  expect(rig.sent).toEqual([])
})

it('[FL33] while a row is on its way, only its newest successor waits', async () => {
  const rig = connected()
  for (let i = 1; i <= 50; i++) rig.change('one', `v${i}`)
  expect(rig.titles()).toEqual(['v1'])
  await rig.reply()
  expect(rig.titles()).toEqual(['v50'])
  await rig.reply()
  expect(rig.sent).toEqual([])
})

it('[FL33] at most 32 rows are on their way', async () => {
  const rig = connected()
  for (let i = 0; i < 100; i++) rig.change(`s${i}`, 'v1')
  expect(rig.sent.length).toBe(32)
  await rig.reply()
  expect(rig.sent.length).toBe(32)
  await rig.replyAll()
  expect(rig.bucket.size).toBe(100)
})

it('[FL34] a row that failed is put again, later each time, as it is then', async () => {
  const rig = connected()
  rig.change('one', 'v1')
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    await rig.reply('late')
    expect(rig.due).toBe(i + 1)
    waits.push((rig.publisher.nextTick() ?? 0) - rig.now)
    rig.change('one', `v${i + 2}`)
    expect(rig.sent).toEqual([])
    rig.now = rig.publisher.nextTick() ?? 0
    rig.publisher.tick()
  }
  expect(waits).toEqual([100, 200, 400, 500, 500])
  expect(rig.titles()).toEqual(['v6'])
})

it('[FL34] a put that failed may be stored: going back to the earlier row is a put', async () => {
  const rig = connected()
  rig.change('one', 'v1')
  await rig.reply()
  rig.change('one', 'v2')
  await rig.reply('late')
  rig.change('one', 'v1')
  rig.now += 1_000
  rig.publisher.tick()
  expect(rig.titles()).toEqual(['v1'])
})

it('[FL34] while disconnected, nothing is sent until the next connection', async () => {
  const rig = connected()
  rig.change('one', 'v1')
  await rig.reply('disconnected')
  rig.change('two', 'v1')
  rig.now += 60_000
  rig.publisher.tick()
  expect(rig.sent).toEqual([])
  rig.publisher.reconcile([])
  expect(rig.titles()).toEqual(['v1', 'v1'])
})

it('[FL35] a connection puts what differs and deletes what is gone', async () => {
  const rig = new Rig()
  const stored = { session: aSession({ id: 'same', title: 'v1' }), isCut: false }
  rig.list.set('same', stored.session)
  rig.list.set('other', aSession({ id: 'other', title: 'v2' }))
  rig.change('missing', 'v3')
  expect(rig.sent).toEqual([])
  rig.publisher.reconcile([
    { key: keyOf('same'), rev: 1, row: stored },
    { key: keyOf('other'), rev: 2 },
    { key: keyOf('gone'), rev: 3 },
    { key: 'row.another.x', rev: 4 },
  ])
  expect(rig.sent.map(({ key, title }) => [key, title]).toSorted()).toEqual(
    [
      [keyOf('other'), 'v2'],
      [keyOf('missing'), 'v3'],
      [keyOf('gone'), undefined],
    ].toSorted(),
  )
  expect(rig.reconciled).toBe(0)
  await rig.reply()
  expect(rig.reconciled).toBe(1)
})

it('[FL35] after the bucket was lost every row is put again', async () => {
  const rig = connected()
  rig.change('one', 'v1')
  await rig.reply()
  rig.publisher.reconcile([{ key: keyOf('one'), rev: 1 }])
  expect(rig.sent).toEqual([])
  rig.publisher.reconcile([])
  expect(rig.titles()).toEqual(['v1'])
})

it('[FL36] beyond 10,000 sessions, closed ones go first and those that need you stay', async () => {
  const rig = new Rig()
  for (let i = 0; i < SHARED_MAX; i++)
    rig.list.set(
      `s${i}`,
      aSession({ id: `s${i}`, title: 'v1', state: i === 5 ? 'closed' : 'idle' }),
    )
  rig.publisher.reconcile([])
  await rig.replyAll()
  expect(rig.publisher.troubles()).toEqual([])
  rig.change('asks', 'v1', { state: 'waiting' })
  rig.change('late', 'v1')
  expect(rig.sent).toEqual([])
  rig.now = rig.publisher.nextTick() ?? 0
  rig.publisher.tick()
  await rig.replyAll()
  expect(rig.bucket.size).toBe(SHARED_MAX)
  expect(rig.bucket.has(keyOf('asks'))).toBe(true)
  expect(rig.bucket.has(keyOf('s5'))).toBe(false)
  const words = '2 sessions are not shared: a machine shares at most 10,000'
  expect(rig.publisher.troubles()).toEqual([words])
  for (const id of ['s7', 's8']) rig.change(id, undefined)
  rig.now = rig.publisher.nextTick() ?? 0
  rig.publisher.tick()
  await rig.replyAll()
  expect(rig.bucket.has(keyOf('s5'))).toBe(true)
  expect(rig.publisher.troubles()).toEqual([])
})

it('[FL37] a full server is a trouble until it takes a row; then all are put', async () => {
  const rig = connected()
  for (let i = 0; i < 30; i++) rig.change(`s${i}`, 'v1')
  await rig.reply('full')
  const words = 'the fleet’s storage is full: 30 rows are not up to date on other machines'
  expect(rig.publisher.beat(ABOUT).troubles).toEqual([words])
  rig.now += 250
  rig.publisher.tick()
  expect(rig.sent.length).toBe(2)
  await rig.replyAll()
  expect(rig.bucket.size).toBe(30)
  expect(rig.publisher.troubles()).toEqual([])
})

it('[FL169] rows that the server does not confirm are a trouble until it does', async () => {
  const rig = connected()
  for (let i = 0; i < 3; i++) rig.change(`s${i}`, 'v1')
  await rig.reply('late')
  const words = 'the fleet’s server does not confirm 3 rows of this machine'
  expect(rig.publisher.beat(ABOUT).troubles).toEqual([words])
  rig.now += 250
  rig.publisher.tick()
  await rig.replyAll()
  expect(rig.publisher.beat(ABOUT).troubles).toEqual([])
})

it('[FL38] a row that the bucket lost or kept by mistake is noticed by the own watch', async () => {
  const rig = connected()
  rig.change('one', 'v1')
  await rig.reply()
  rig.publisher.observe(keyOf('one'), undefined)
  rig.publisher.beat(ABOUT)
  expect(rig.sent).toEqual([])
  rig.now += 5_000
  rig.publisher.beat(ABOUT)
  expect(rig.titles()).toEqual(['v1'])
  await rig.reply()
  rig.publisher.observe(keyOf('ghost'), 7)
  expect(rig.sent.map(({ key, title }) => [key, title])).toEqual([[keyOf('ghost'), undefined]])
})

it('[FL39] a heartbeat has the digest of stored rows, and none before all are back', async () => {
  const rig = new Rig()
  rig.change('one', 'v1')
  rig.publisher.reconcile([])
  expect(rig.publisher.beat(ABOUT)).toMatchObject({ rows: 0, digest: '' })
  await rig.reply()
  const digest = new RowDigest()
  digest.add(keyOf('one'), 1)
  expect(rig.publisher.beat(ABOUT)).toMatchObject({ rows: 1, digest: digest.text })
  rig.change('one', 'v2')
  expect(rig.publisher.beat(ABOUT)).toMatchObject({ rows: 1, digest: digest.text })
})
