import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RowChanges } from './row-changes.ts'

let now = 0
let listed: Set<string>
let leaves: Map<string, number>
let changes: RowChanges
let told: string[]

beforeEach(() => {
  vi.useFakeTimers()
  now = 1_000_000
  listed = new Set(['a', 'b', 'c'])
  leaves = new Map()
  changes = new RowChanges({
    isListed: (id) => listed.has(id),
    leavesAt: (id) => leaves.get(id),
    now: () => now,
  })
  told = []
  changes.onChange(({ id }) => told.push(id))
})
afterEach(() => {
  changes.close()
  vi.useRealTimers()
})

function pass(ms: number): void {
  now += ms
  vi.advanceTimersByTime(ms)
}

const here = () => changes.positionOf(changes.count)
const since = (position: string) => changes.since(position)?.map(({ id }) => id)

describe('[P17] a position', () => {
  it('gives the sessions that changed since, each once, the latest last', () => {
    const start = here()
    changes.touch(['a', 'b'])
    const middle = here()
    pass(200)
    changes.touch(['a'])
    expect(since(start)).toEqual(['b', 'a'])
    expect(since(middle)).toEqual(['a'])
    expect(since(here())).toEqual([])
  })

  it('that is not known gives nothing to go on from', () => {
    changes.touch(['a'])
    const run = here().split('.')[0]
    const other = new RowChanges({ isListed: () => true, leavesAt: () => undefined, now: () => 0 })
    const unknown = [other.positionOf(0), `${run}.2`, `${run}.`, `${run}.1.1`, `${run}.x`, '', '1']
    for (const position of unknown) expect(changes.since(position)).toBe(undefined)
  })

  it('tells what left the list, as long as it is remembered', () => {
    const start = here()
    changes.touch(['a'])
    listed.delete('a')
    pass(200)
    changes.touch(['a'])
    expect(since(start)).toEqual(['a'])
    const middle = here()
    for (let at = 0; at < 1_000; at += 1) changes.touch([`gone-${at}`])
    expect(changes.since(start)).toBe(undefined)
    expect(since(middle)).toHaveLength(1_000)
  })
})

describe('[P18] changes of one session', () => {
  it('are sent at once first, then at most ten times a second, and the last of them always', () => {
    changes.touch(['a'])
    expect(told).toEqual(['a'])
    for (let ms = 0; ms < 1_000; ms += 5) {
      pass(5)
      changes.touch(['a'])
    }
    expect(told.length).toBeGreaterThanOrEqual(10)
    expect(told.length).toBeLessThanOrEqual(11)
    const before = told.length
    pass(100)
    expect(told).toHaveLength(before + 1)
    pass(5_000)
    expect(told).toHaveLength(before + 1)
    changes.touch(['a'])
    expect(told).toHaveLength(before + 2)
  })

  it('do not hold back those of another', () => {
    changes.touch(['a', 'a', 'b'])
    expect(told).toEqual(['a', 'b'])
    pass(50)
    changes.touch(['c', 'a'])
    expect(told).toEqual(['a', 'b', 'c'])
    pass(50)
    expect(told).toEqual(['a', 'b', 'c', 'a'])
  })
})

it('[P20] a session that leaves the list by time alone is reported once', () => {
  leaves.set('a', now + 1_800_000)
  changes.touch(['a'])
  pass(1_799_999)
  expect(told).toEqual(['a'])
  leaves.clear()
  listed.delete('a')
  pass(1)
  expect(told).toEqual(['a', 'a'])
  pass(10_000_000)
  expect(told).toEqual(['a', 'a'])
})

it('[P20] a session that is open again does not leave', () => {
  leaves.set('a', now + 1_000)
  changes.touch(['a'])
  leaves.clear()
  changes.touch(['a'])
  pass(200)
  expect(told).toEqual(['a', 'a'])
  pass(10_000)
  expect(told).toEqual(['a', 'a'])
})
