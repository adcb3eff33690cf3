import { setTimeout as sleep } from 'node:timers/promises'

export interface UntilOptions {
  readonly withinMs?: number
  /** What to show when it did not come: the screen, the log. */
  readonly shows?: () => string | Promise<string>
}

/** Generous: a busy machine is no failure. What is late by design has its own limit. */
const WITHIN_MS = 20_000

/** Between two looks. Short against what a client needs, long against what a look costs. */
const LOOK_EVERY_MS = 25

/** Looks until there is something to see, and gives it back; at the deadline it says what for. */
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
