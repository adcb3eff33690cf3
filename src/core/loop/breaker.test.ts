import { describe, expect, it } from 'vitest'
import { NOW } from '../../../test/support/loop-machine.ts'
import { BREAKER_BLOCKS_PER_MINUTE, BREAKER_ERRORS, BREAKER_WINDOW_MS } from '../limits.ts'
import { type Breaker, blocked, breakerOpen, failed, noBreaker } from './breaker.ts'

/** This many events, evenly spread over a time that ends now. */
function many(
  step: (breaker: Breaker, now: number) => Breaker,
  count: number,
  overMs: number,
  before: Breaker = noBreaker,
): Breaker {
  let present = before
  for (let i = 1; i <= count; i++) present = step(present, NOW - overMs + (overMs * i) / count)
  return present
}

const tripped = many(failed, BREAKER_ERRORS, 1_000)

describe('opening', () => {
  it('[LP28] at more than 300 blocks within a minute, and not at 300', () => {
    const full = many(blocked, BREAKER_BLOCKS_PER_MINUTE, 59_000)
    expect(breakerOpen(full, NOW)).toBeUndefined()
    expect(breakerOpen(blocked(full, NOW), NOW)).toEqual({
      why: 'all loops are parked: over 300 iterations in a minute',
      until: NOW + BREAKER_WINDOW_MS,
    })
  })

  it('[LP28] not at as many over a longer time', () => {
    const slow = many(blocked, 3 * BREAKER_BLOCKS_PER_MINUTE, 181_000)
    expect(breakerOpen(slow, NOW)).toBeUndefined()
  })

  it('[LP28] at 5 errors within 5 minutes, and not over a longer time', () => {
    expect(breakerOpen(many(failed, BREAKER_ERRORS - 1, 1_000), NOW)).toBeUndefined()
    expect(breakerOpen(tripped, NOW)).toEqual({
      why: 'all loops are parked: 5 errors within 5 min',
      until: NOW + BREAKER_WINDOW_MS,
    })
    const slow = many(failed, 4 * BREAKER_ERRORS, 5 * BREAKER_WINDOW_MS)
    expect(breakerOpen(slow, NOW)).toBeUndefined()
  })

  it('[LP28] what comes while it is open makes it no longer', () => {
    const more = many(blocked, 400, 10, many(failed, 20, 500, tripped))
    expect(breakerOpen(more, NOW)).toEqual(breakerOpen(tripped, NOW))
  })
})

describe('closing', () => {
  const after = NOW + BREAKER_WINDOW_MS

  it('[LP28] after its time loops are let through', () => {
    expect(breakerOpen(tripped, after - 1)).toBeDefined()
    expect(breakerOpen(tripped, after)).toBeUndefined()
  })

  it('[LP28] then one error opens it again', () => {
    expect(breakerOpen(failed(tripped, after), after)).toEqual({
      why: 'all loops are parked: another error right after the last pause',
      until: after + BREAKER_WINDOW_MS,
    })
  })

  it('[LP28] and a block closes it', () => {
    const closed = blocked(tripped, after)
    expect(closed).not.toHaveProperty('opened')
    expect(breakerOpen(failed(closed, after + 1), after + 1)).toBeUndefined()
  })

  it('[LP28] a clock that was set back keeps no loop waiting', () => {
    expect(breakerOpen(tripped, NOW - 86_400_000)).toBeUndefined()
    const early = many(blocked, 400, 1, tripped).blocks
    expect(blocked({ ...noBreaker, blocks: early }, NOW - 86_400_000).blocks).toHaveLength(1)
  })
})

it('[LP28] keeps no more than it counts', () => {
  const busy = many(failed, 5_000, 60_000, many(blocked, 5_000, 60_000))
  expect(busy.blocks.length).toBeLessThanOrEqual(BREAKER_BLOCKS_PER_MINUTE)
  expect(busy.errors.length).toBeLessThanOrEqual(BREAKER_ERRORS)
  expect(JSON.parse(JSON.stringify(busy))).toEqual(busy)
})
