import { subscribe } from '../../../client/subscribe.ts'
import type { StreamEvent } from '../../../protocol/stream.ts'
import { ApiError, api } from '../api.ts'
import type { PageEvent } from '../model/state.ts'

/** Reconnects soon after a daemon restarts. */
const BACKOFF_MAX_MS = 2_000

export interface StreamFollower {
  readonly tell: (event: PageEvent) => void
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Follows the stream of sessions until aborted or signed out; waits for a daemon that ended. */
export async function follow({ tell, now, signal }: StreamFollower): Promise<void> {
  const batches = subscribe({
    connect: (lastId) => api.stream('/v1/stream', signal, lastId),
    onConnection: (connected) => tell({ kind: 'connection', connected, now: now() }),
    isFinal: (error) => error instanceof ApiError && error.status === 401,
    backoffMaxMs: BACKOFF_MAX_MS,
    signal,
  })
  for await (const blocks of batches)
    tell({ kind: 'stream', events: blocks.map(({ data }) => data as StreamEvent) })
}
