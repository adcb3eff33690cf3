import { type EventBlock, EventBlocks } from './event-blocks.ts'

export interface SubscribeOptions {
  /** Opens the stream after a position and yields its text, cut anywhere. */
  readonly connect: (lastId: string | undefined) => Promise<AsyncIterable<string>>
  readonly signal?: AbortSignal | undefined
  /** Called when a connection is made or lost, so that a surface can say that its data is old. */
  readonly onConnection?: ((connected: boolean, error?: Error) => void) | undefined
  /** The position to begin after. */
  readonly lastId?: string | undefined
  readonly backoffFirstMs?: number | undefined
  readonly backoffMaxMs?: number | undefined
  /** After such an error another attempt would not help. */
  readonly isFinal?: (error: Error) => boolean
}

/**
 * A daemon that restarts is back within this time; a daemon that is gone must not be polled at full
 * speed.
 */
const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 5_000

/** SPEC P13. Reads events and reconnects at the last position, until aborted. */
export async function* subscribe(
  options: SubscribeOptions,
): AsyncGenerator<readonly EventBlock[], void> {
  const { connect, signal, onConnection, isFinal } = options
  const { backoffFirstMs = BACKOFF_FIRST_MS, backoffMaxMs = BACKOFF_MAX_MS } = options
  let { lastId } = options
  let backoffMs = backoffFirstMs
  while (!signal?.aborted) {
    try {
      const parts = await connect(lastId)
      onConnection?.(true)
      const reader = new EventBlocks()
      for await (const part of parts) {
        backoffMs = backoffFirstMs
        const blocks = reader.read(part)
        const events = blocks.filter(({ data }) => data !== null)
        if (events.length > 0) yield events
        lastId = blocks.findLast(({ id }) => id !== null)?.id ?? lastId
      }
      onConnection?.(false)
    } catch (error) {
      if (signal?.aborted) return
      onConnection?.(false, error as Error)
      if (isFinal?.(error as Error)) return
    }
    await pause(backoffMs, signal)
    backoffMs = Math.min(2 * backoffMs, backoffMaxMs)
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
}
