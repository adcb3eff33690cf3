import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aListing } from '../../test/support/listing.ts'
import { lister } from './lister.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** A daemon that counts; what it is asked for is noted. */
function counting() {
  const asked: (string | undefined)[] = []
  const told: number[] = []
  const list = lister({
    ask: async (since) => {
      asked.push(since)
      const seq = asked.length
      return aListing([], { seq, cursor: `a-daemon.${seq}`, partial: since !== undefined })
    },
    tell: ({ seq }) => told.push(seq),
  })
  return { list, asked, told }
}

it('[P15] asks for what is new since the one before, and for all now and then', async () => {
  const { list, asked } = counting()
  expect([await list(), await list()]).toEqual([1, 2])
  vi.advanceTimersByTime(60_001)
  await list()
  await list()
  expect(asked).toEqual([undefined, 'a-daemon.1', undefined, 'a-daemon.2'])
})

it('[P15] asks once for many, and for all after what is on its way', async () => {
  const { list, asked, told } = counting()
  await list()
  await Promise.all([list(), list(), list('all'), list()])
  expect(asked).toEqual([undefined, 'a-daemon.1', undefined])
  expect(told).toEqual([1, 2, 3])
})

it('[P15] goes on where it was after one that failed', async () => {
  let fails = false
  const asked: (string | undefined)[] = []
  const list = lister({
    ask: async (since) => {
      asked.push(since)
      if (fails) throw new Error('no daemon answers')
      return aListing([], { cursor: 'a-daemon.7' })
    },
    tell: () => {},
  })
  await list()
  fails = true
  expect(await list()).toBeUndefined()
  fails = false
  await list()
  expect(asked).toEqual([undefined, 'a-daemon.7', 'a-daemon.7'])
})
