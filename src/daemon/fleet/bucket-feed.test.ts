import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { machineNumber, membersOf, NOW } from '../../../test/support/members.ts'
import type { RemoteMachines } from '../../fleet/remote-machines.ts'
import { rowKeyOf } from '../../fleet/row-key.ts'
import type { BucketWatcher } from '../../fleet/transport.ts'
import { BucketFeed } from './bucket-feed.ts'
import type { BucketReader } from './bucket-reader.ts'
import type { Membership } from './membership.ts'
import type { Sharing } from './sharing.ts'

let feed: BucketFeed
let watchers: BucketWatcher[]
let stopped: number
let said: string[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  ;[watchers, stopped, said] = [[], 0, []]
  feed = new BucketFeed({
    membership: membersOf(2)[1]?.membership as Membership,
    reader: { take: ({ key }: { key: string }) => void said.push(key) } as unknown as BucketReader,
    remote: { beginSnapshot: () => {}, endSnapshot: () => {} } as unknown as RemoteMachines,
    sharing: { saw: () => {}, beginSnapshot: () => {} } as unknown as Sharing,
    moment: () => ({ mono: 0, wall: NOW }),
    onBegin: () => {},
    onKnown: () => void said.push('known'),
    onTaken: () => {},
    onFault: (error) => void said.push(String(error)),
    onTrouble: (what) => void said.push(what === undefined ? 'well' : 'trouble'),
  })
  feed.watch({
    state: { connected: true },
    watch: (watcher) => {
      watchers.push(watcher)
      return () => {
        stopped += 1
      }
    },
  })
})
afterEach(() => feed.close())

const entry = (value: Uint8Array) => {
  const key = rowKeyOf(machineNumber(1), 's')
  return { key, value, storedAt: NOW, isOld: true }
}
const read = () => new Promise<void>((resolve) => watchers.at(-1)?.whenRead?.(resolve))

it('[FL202] the server may send on when all before was read', async () => {
  watchers[0]?.onEntry(entry(new Uint8Array(100)))
  watchers[0]?.whenRead?.(() => void said.push('send on'))
  expect(said).toEqual([])
  await read()
  expect(said).toEqual([rowKeyOf(machineNumber(1), 's'), 'send on'])
})

it('[FL203] a flood ends the watch with the reason; all is read again 10 s later', async () => {
  const megabyte = new Uint8Array(1_000_000)
  for (let n = 0; n < 70 && stopped === 0; n++) watchers[0]?.onEntry(entry(megabyte))
  expect([stopped, said, watchers.length]).toEqual([1, ['trouble'], 1])
  vi.advanceTimersByTime(9_900)
  expect(watchers).toHaveLength(1)
  vi.advanceTimersByTime(200)
  expect(watchers).toHaveLength(2)
  watchers[1]?.onBegin?.(true)
  watchers[1]?.onReady()
  await read()
  expect(said).toEqual(['trouble', 'well', 'known'])
})

it('[FL203] a feed that is closed begins no watch', () => {
  const megabyte = new Uint8Array(1_000_000)
  for (let n = 0; n < 70 && stopped === 0; n++) watchers[0]?.onEntry(entry(megabyte))
  feed.close()
  vi.advanceTimersByTime(60_000)
  expect(watchers).toHaveLength(1)
})
