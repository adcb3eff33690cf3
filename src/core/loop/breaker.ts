import {
  BREAKER_BLOCKS_PER_MINUTE,
  BREAKER_ERRORS,
  BREAKER_MINUTE_MS,
  BREAKER_WINDOW_MS,
} from '../limits.ts'
import { roundedSpan } from './text.ts'

/**
 * SPEC LP28. The circuit breaker over all loops: each loop may be within its own limits while all
 * of them together are a fault. While open, it pauses every loop whose agent stops.
 */
export interface Breaker {
  /**
   * When loops were continued, and when an error occurred: no more entries than the limits need.
   */
  readonly blocks: readonly number[]
  readonly errors: readonly number[]
  readonly opened?: { readonly at: number; readonly why: string }
}

export const noBreaker: Breaker = { blocks: [], errors: [] }

/**
 * Why the breaker is open, and until when. After that loops may continue again, and the first event
 * decides whether that was too early: an error opens it at once, a continued loop closes it.
 */
export function breakerOpen(
  breaker: Breaker,
  now: number,
): { readonly why: string; readonly until: number } | undefined {
  const { opened } = breaker
  if (!opened || isHalfOpen(breaker, now)) return undefined
  return { why: opened.why, until: opened.at + BREAKER_WINDOW_MS }
}

/** Records that a loop was continued. */
export function blocked(breaker: Breaker, now: number): Breaker {
  const blocks = [...within(breaker.blocks, now, BREAKER_MINUTE_MS), now]
  // A block decided just before the breaker opened proves nothing.
  if (breakerOpen(breaker, now)) return { ...breaker, blocks: blocks.slice(-BLOCKS_KEPT) }
  const { errors } = breaker
  if (blocks.length <= BREAKER_BLOCKS_PER_MINUTE) return { blocks, errors }
  return { blocks: [], errors, opened: { at: now, why: TOO_MANY } }
}

/** Records an API error in a loop, or an error of vigil itself. */
export function failed(breaker: Breaker, now: number): Breaker {
  const errors = [...within(breaker.errors, now, BREAKER_WINDOW_MS), now].slice(-BREAKER_ERRORS)
  if (breakerOpen(breaker, now)) return { ...breaker, errors }
  const { blocks } = breaker
  if (isHalfOpen(breaker, now)) return { blocks, errors: [], opened: { at: now, why: AGAIN } }
  if (errors.length < BREAKER_ERRORS) return { blocks, errors }
  return { blocks, errors: [], opened: { at: now, why: FAILING } }
}

/**
 * A time long before the opening means that the clock was set back: no loop should wait that out.
 */
function isHalfOpen({ opened }: Breaker, now: number): boolean {
  return opened !== undefined && Math.abs(now - opened.at) >= BREAKER_WINDOW_MS
}

function within(times: readonly number[], now: number, windowMs: number): readonly number[] {
  return times.filter((at) => at > now - windowMs && at <= now)
}

const BLOCKS_KEPT = BREAKER_BLOCKS_PER_MINUTE
const TOO_MANY = `all loops are parked: over ${BREAKER_BLOCKS_PER_MINUTE} iterations in a minute`
const WINDOW = roundedSpan(BREAKER_WINDOW_MS)
const FAILING = `all loops are parked: ${BREAKER_ERRORS} errors within ${WINDOW}`
const AGAIN = 'all loops are parked: another error right after the last pause'
