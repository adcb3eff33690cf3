import { setTimeout as sleep } from 'node:timers/promises'

export interface UntilOptions {
  readonly withinMs?: number
  /** What to print if the condition did not hold: the screen, the log. */
  readonly shows?: () => string | Promise<string>
}

/** Generous: a busy machine is not a failure. A test of a delay has its own limit. */
const WITHIN_MS = 20_000

/** Between two checks: short compared with a client, long compared with the cost of a check. */
const LOOK_EVERY_MS = 25

/**
 * Checks until there is a value, and returns it; at the deadline the error says what was awaited.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { withinMs = WITHIN_MS, shows }: UntilOptions = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > deadline) break
    await sleep(LOOK_EVERY_MS)
  }
  const shown = shows ? `\n${await shows()}` : ''
  throw new Error(`waited ${withinMs} ms in vain for ${what}${shown}`)
}
