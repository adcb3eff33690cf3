/** Node's timers count in 32 bits; a longer wait would end at once. */
const TIMER_MAX_MS = 2_000_000_000

/** A wait that a timer supports; the caller checks again where it ends too early. */
export function timerMs(waitMs: number): number {
  return Math.min(Math.max(waitMs, 1), TIMER_MAX_MS)
}
