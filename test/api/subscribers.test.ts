import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ChangeEvents } from '../../src/daemon/api/change-events.ts'
import { Subscribers } from '../../src/daemon/api/event-stream.ts'
import { OWN_MACHINE } from '../support/machines.ts'
import { MemoryFeed } from './memory-fleet.ts'
import { seenFleet, until } from './support.ts'

const sourceOf = (feed: MemoryFeed) => ({ machine: OWN_MACHINE, feed })

const gone = { kind: 'gone' as const, t: 1, session: 'process:7', became: undefined }

it('[P6] a reader without pending events may pause; with some it is dropped', async () => {
  const feed = new MemoryFeed()
  let hungUp = 0
  const subscribers = new Subscribers({ stallMs: 20 })
  const reader = subscribers.open(new ChangeEvents(sourceOf(feed), 0), () => {
    hungUp += 1
  })
  feed.add(gone)
  await reader?.next()
  await sleep(100)
  expect([subscribers.count, hungUp]).toEqual([1, 0])
  feed.add(gone)
  await until('he is dropped', () => subscribers.count === 0)
  expect([subscribers.dropped, hungUp, feed.listeners.size]).toEqual([1, 1, 0])
})

it('[P6] takes from the log no more than its reader has room for', async () => {
  const feed = new MemoryFeed()
  for (let times = 0; times < 100; times += 1) feed.add(gone)
  const subscribers = new Subscribers()
  const reader = subscribers.open(new ChangeEvents(sourceOf(feed), 0))
  expect(feed.taken).toBe(0)
  await reader?.next()
  await reader?.next()
  expect(feed.taken).toBe(64)
  subscribers.close()
})

it('[P4] does not wait behind a stretch of the past', async () => {
  const feed = new MemoryFeed()
  const [change] = seenFleet().feed.changes
  if (change?.kind !== 'verdict') throw new Error('expected a verdict')
  for (let times = 0; times < 100; times += 1) feed.add({ ...change, kind: 'past' })
  feed.add(gone)
  const subscribers = new Subscribers()
  const reader = subscribers.open(new ChangeEvents(sourceOf(feed), 0))
  expect(await reader?.next()).toMatch(/^id: 0\n\nid: 101\nevent: gone\n/)
  subscribers.close()
})

it('[P4] ids given out before their changes are written are not passed over', async () => {
  const feed = new MemoryFeed()
  feed.add(gone)
  const { after } = feed
  const subscribers = new Subscribers()
  const reader = subscribers.open(new ChangeEvents(sourceOf(feed), 1))
  await reader?.next()
  feed.after = () => []
  const early = reader?.next()
  feed.add(gone)
  await sleep(10)
  feed.after = after
  feed.add(gone)
  let told = ''
  for (let part = await early; ; part = await reader?.next()) {
    told += part
    if (told.includes('id: 3')) break
  }
  expect(told.match(/^id: \d+/gm)).toEqual(['id: 2', 'id: 3'])
  subscribers.close()
})

it('[P14] accepts no subscriber once it is closed', () => {
  const subscribers = new Subscribers()
  subscribers.close()
  expect(subscribers.open(new ChangeEvents(sourceOf(new MemoryFeed())))).toBe(undefined)
})
