import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Ticker } from './ticker.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

/** Due at each of these times, once. */
function partAt(...times: number[]) {
  const ticked: number[] = []
  return {
    times,
    ticked,
    nextTick: () => times[0],
    tick: () => {
      ticked.push(Date.now())
      times.shift()
    },
  }
}

it('[FL137] sets no timer while no part waits', () => {
  const ticker = new Ticker([partAt(), partAt()], Date.now)
  ticker.look()
  expect(vi.getTimerCount()).toBe(0)
})

it('[FL137] ticks each part when it is due, by one timer', () => {
  const [a, b] = [partAt(100, 300), partAt(200)]
  const ticker = new Ticker([a, b], Date.now)
  ticker.look()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(1_000)
  expect([a.ticked, b.ticked]).toEqual([[100, 300], [200]])
  expect(vi.getTimerCount()).toBe(0)
})

it('[FL137] looks again for what is due sooner, and for nothing once it is closed', () => {
  const part = partAt(500)
  const ticker = new Ticker([part], Date.now)
  ticker.look()
  part.times.unshift(50)
  ticker.look()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(60)
  expect(part.ticked).toEqual([50])
  ticker.close()
  ticker.look()
  expect(vi.getTimerCount()).toBe(0)
})
