import { expect, it } from 'vitest'
import type { LoggedChange } from '../store/store.ts'
import { ChangeFeed } from './feed.ts'

/** A log that holds every change published to it, as the store does. */
function logged(first = 1) {
  const changes: LoggedChange[] = []
  return {
    changes,
    firstChangeId: () => first,
    lastChangeId: () => changes.at(-1)?.id ?? first - 1,
    changesAfter: (id: number, limit: number) =>
      changes.filter((change) => change.id > id).slice(0, limit),
  }
}

const change = (id: number, kind: 'gone' | 'past' = 'gone'): LoggedChange =>
  ({ id, t: id, session: 's', kind, became: undefined }) as unknown as LoggedChange

function publish(feed: ChangeFeed, log: ReturnType<typeof logged>, count: number): void {
  const news = Array.from({ length: count }, () => change(feed.nextId()))
  log.changes.push(...news)
  feed.publish(news)
}

const idsAfter = (feed: ChangeFeed, id: number, limit = 1e6) =>
  feed.after(id, limit).map((one) => one.id)

it('[K10] gives every change after an id, from memory or from the log, without a gap', () => {
  const log = logged()
  publish(new ChangeFeed(log, 0), log, 3)
  const feed = new ChangeFeed(log, 0)
  for (let i = 0; i < 50; i++) publish(feed, log, 100)
  const all = Array.from({ length: 5_003 }, (_, i) => i + 1)
  for (const id of [0, 1, 3, 4, 999, 2_500, 4_999, 5_002, 5_003])
    expect(idsAfter(feed, id)).toEqual(all.slice(id))
  expect(idsAfter(feed, 4_000, 5)).toEqual([4_001, 4_002, 4_003, 4_004, 4_005])
})

it('[D9] [K10] never reuses an id that was sent and lost with the daemon', () => {
  const log = logged()
  publish(new ChangeFeed(log, 0), log, 3)
  const full = new ChangeFeed(log, 1_000)
  const told = change(full.nextId())
  full.publish([told])
  expect(idsAfter(full, 3)).toEqual([told.id])
  const restarted = new ChangeFeed(log, 2_000)
  expect(restarted.nextId()).toBeGreaterThan(told.id)
})

it('[K10] leaves out what is history and no news', () => {
  const log = logged()
  const feed = new ChangeFeed(log, 0)
  publish(feed, log, 1)
  const past = Array.from({ length: 10 }, () => change(feed.nextId(), 'past'))
  log.changes.push(...past)
  feed.publish(past)
  expect(idsAfter(feed, 1)).toEqual([])
  publish(feed, log, 1)
  expect(idsAfter(feed, 1, 3)).toEqual([12])
})
