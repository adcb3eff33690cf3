import {
  BREAKER_BLOCKS_PER_MINUTE,
  BREAKER_ERRORS,
  BREAKER_MINUTE_MS,
  BREAKER_WINDOW_MS,
} from '../limits.ts'
import { roundedSpan } from './text.ts'

/**
 * SPEC LP28. The circuit breaker over all loops: each may be within its own limits and all of them
 * together be a fault. Open, it pauses every loop whose agent stops.
 */
export interface Breaker {
  /** When loops were told to go on, and when something went wrong: no more than count. */
  readonly blocks: readonly number[]
  readonly errors: readonly number[]
  readonly opened?: { readonly at: number; readonly why: string }
}

export const noBreaker: Breaker = { blocks: [], errors: [] }

/**
 * Why it is open, and until when. After that loops are let through again, and what happens first
 * says whether it was too early: an error opens it at once, a loop that goes on closes it.
 */
export function breakerOpen(
  breaker: Breaker,
  now: number,
): { readonly why: string; readonly until: number } | undefined {
  const { opened } = breaker
  if (!opened || isHalfOpen(breaker, now)) return undefined
  return { why: opened.why, until: opened.at + BREAKER_WINDOW_MS }
}

/** A loop was told to go on. */
export function blocked(breaker: Breaker, now: number): Breaker {
  const blocks = [...within(breaker.blocks, now, BREAKER_MINUTE_MS), now]
  // One that was decided just before it opened proves nothing.
  if (breakerOpen(breaker, now)) return { ...breaker, blocks: blocks.slice(-BLOCKS_KEPT) }
  const { errors } = breaker
  if (blocks.length <= BREAKER_BLOCKS_PER_MINUTE) return { blocks, errors }
  return { blocks: [], errors, opened: { at: now, why: TOO_MANY } }
}

/** The API failed a loop, or we did. */
export function failed(breaker: Breaker, now: number): Breaker {
  const errors = [...within(breaker.errors, now, BREAKER_WINDOW_MS), now].slice(-BREAKER_ERRORS)
  if (breakerOpen(breaker, now)) return { ...breaker, errors }
  const { blocks } = breaker
  if (isHalfOpen(breaker, now)) return { blocks, errors: [], opened: { at: now, why: AGAIN } }
  if (errors.length < BREAKER_ERRORS) return { blocks, errors }
  return { blocks, errors: [], opened: { at: now, why: FAILING } }
}

/** Long before its own opening is a clock that was set back: nobody shall wait that out. */
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
const AGAIN = 'all loops are parked: an error again, right after the last pause'
