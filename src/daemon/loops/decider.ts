import type { decide } from '../../core/loop/decide.ts'
import type { Complain } from '../../sources/arrival.ts'

let decider: typeof decide | undefined

/** SPEC LP91. The decider parses Markdown, which takes memory that a daemon without loops saves. */
export async function loadDecider(): Promise<void> {
  decider ??= (await import('../../core/loop/decide.ts')).decide
}

/** Undefined before there was a loop. */
export function loadedDecider(): typeof decide | undefined {
  return decider
}

/** Fails where another version of vigil has replaced its files: agents in loops then stop. */
export function loadDeciderSoon(complain: Complain): void {
  loadDecider().catch((error) =>
    complain('the loop engine could not be loaded', { why: String(error) }),
  )
}
