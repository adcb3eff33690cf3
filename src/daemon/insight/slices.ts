import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * How long a long read may block everything else: a report waits this much longer, and a page of
 * the log takes a millisecond at most.
 */
const SLICE_MAX_MS = 4

/** SPEC IN12. Does all of the work, and lets other work run between its steps. */
export async function inSlices(work: Iterator<unknown>): Promise<void> {
  for (let begun = performance.now(); ; ) {
    if (work.next().done) return
    if (performance.now() - begun < SLICE_MAX_MS) continue
    await nextTurn()
    begun = performance.now()
  }
}
