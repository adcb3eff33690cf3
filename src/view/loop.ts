import { splitHold } from '../core/loop/need.ts'
import type { LoopHold } from '../core/loop/run.ts'
import type { LoopFacet } from '../core/signal.ts'
import type { LoopView } from '../protocol/loop.ts'
import type { Colour, Describable } from './session.ts'

/** A time of day: `12:30`. */
export type TimeOfDay = (at: number) => string

/** In the time zone of this machine. */
export const timeOfDay: TimeOfDay = (at) => new Date(at).toTimeString().slice(0, 5)

/** `loop 3/10`, `loop 3/10 paused`, `loop 3/10 waits for 12:30`; empty outside a loop. */
export function loopWordsOf({ loop }: Pick<Describable, 'loop'>, timeOfDay: TimeOfDay): string {
  if (!loop) return ''
  const { iteration, max } = loop
  const how = howItIs(loop, timeOfDay)
  return `loop ${iteration}/${max}${how && ` ${how}`}`
}

function howItIs({ state, hold, until }: LoopFacet, timeOfDay: TimeOfDay): string {
  if (state === 'STUCK') return 'stuck'
  if (hold === null) return ''
  return heldWords(splitHold(hold).kind, until, timeOfDay)
}

function heldWords(kind: LoopHold['kind'], until: number | null, timeOfDay: TimeOfDay): string {
  if (kind === 'human') return 'needs you'
  if (kind === 'paused') return 'paused'
  return until === null ? 'waits' : `waits for ${timeOfDay(until)}`
}

export interface LoopLook {
  readonly words: string
  readonly colour: Colour
  /** Lower ranks need the user first. */
  readonly rank: number
}

/**
 * How a loop is described, and how urgent it is. `waits`: what its session needs before the loop
 * can continue, if anything.
 */
export function loopLookOf(loop: LoopView, waits: string, timeOfDay: TimeOfDay): LoopLook {
  const { hold, state } = loop
  if (!loop.open) return endedLook(loop)
  if (hold) {
    const words = heldWords(hold.kind, hold.until, timeOfDay)
    return { words: `${words}: ${hold.why}`, ...HELD[hold.kind] }
  }
  if (waits !== '') return { words: waits, colour: 'yellow', rank: 1 }
  if (state === 'STUCK' || state === 'ABORTED') return endedLook(loop)
  return { words: 'running', colour: 'blue', rank: 5 }
}

const HELD = {
  human: { colour: 'red', rank: 0 },
  parked: { colour: 'yellow', rank: 3 },
  paused: { colour: 'yellow', rank: 4 },
} as const

function endedLook({ event, reason, because, state }: LoopView): LoopLook {
  const words = (reason !== null && REASONS[reason]) || (reason ?? state).toLowerCase()
  const more = !because || because === words ? '' : `: ${because}`
  const trouble = state === 'STUCK' || reason === 'STUCK' || reason === 'MAX_ITERATIONS'
  if (event === 'ABORT') return { words: `${words}${more}`, colour: 'grey', rank: 7 }
  if (trouble) return { words: `${words}${more}`, colour: 'magenta', rank: 2 }
  return { words: `${words}${more}`, colour: 'green', rank: 6 }
}

/** The reasons of the loop's document in words for the user. */
const REASONS: Readonly<Record<string, string>> = {
  COMPLETE: 'done',
  DONE: 'done',
  MAX_ITERATIONS: 'ended at its limit',
  STUCK: 'stuck',
  NO_MORE_ISSUES: 'done, no items left',
  MAX_ISSUES: 'done, item limit reached',
  USER_CANCELLED: 'stopped by you',
}

/** `45 s`, `30 min`, `1 h 30 min`, `2 d`: a duration in its largest unit and the unit below. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const largest = parts.findIndex(([count]) => count > 0)
  if (largest < 0) return '0 s'
  const shown = parts.slice(largest, largest + 2).filter(([count]) => count > 0)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** `$0.42`; small amounts to a tenth of a cent, so that they are not zero. */
export function dollars(usd: number): string {
  return `$${usd > 0 && usd < 0.1 ? usd.toFixed(3) : usd.toFixed(2)}`
}
