import { setImmediate } from 'node:timers/promises'

/**
 * The end of a log is read in 10 ms, and a backlog of 5,000 hooks in about a second. With more, the
 * daemon answers before it has read them all, and reports that.
 */
const CATCH_UP_MAX_MS = 3_000
const LOOK_MS = 200

export interface CatchUpOptions {
  readonly isCaughtUp: () => boolean
  /** Learns what has arrived. */
  readonly flush: () => void
  /**
   * Called with true when the time is over and there is more to read, then with false when done.
   */
  readonly behind: (isBehind: boolean) => void
  readonly maxMs?: number
}

/**
 * SPEC S30. Waits until the backlog at the start has been read, but not for ever. Returns a
 * function that stops it.
 */
export async function catchUp(options: CatchUpOptions): Promise<() => void> {
  const { isCaughtUp, flush, behind, maxMs = CATCH_UP_MAX_MS } = options
  const end = performance.now() + maxMs
  while (!isCaughtUp() && performance.now() < end) {
    await setImmediate()
    flush()
  }
  if (isCaughtUp()) return () => {}
  behind(true)
  const timer = setInterval(() => {
    if (!isCaughtUp()) return
    clearInterval(timer)
    behind(false)
  }, LOOK_MS)
  return () => clearInterval(timer)
}
