import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverPlace } from './server-url.ts'

export interface RetryParts {
  readonly urls: readonly string[]
  readonly attempt: () => Promise<void>
  /** Why an address takes no connections. */
  readonly onUnreachable: (error: Error) => void
  readonly signal: AbortSignal
}

/** A server that restarts is back within a second. */
const RETRY_FIRST_MS = 250
/** One that refuses is not asked without end. */
const RETRY_MAX_MS = 5_000
/** A machine that comes back is right within two seconds: half of them to notice it. */
const PROBE_EVERY_MAX_MS = 800
/** On a slow or lossy network a probe is answered after later ones have begun. */
const PROBE_MAX_MS = 5_000

/**
 * SPEC FL61. When to connect again. An attempt that begins while a cable is out hangs for seconds
 * after the cable is in again, because the system repeats its packets at longer and longer
 * intervals. So probes with packets of their own tell when an address takes connections.
 */
export class Retries {
  readonly #parts: RetryParts
  #waitMs = RETRY_FIRST_MS

  constructor(parts: RetryParts) {
    this.#parts = parts
  }

  /** An attempt that a bad network ended took its time: only refusals are waited for longer. */
  again({ isRefused }: { readonly isRefused: boolean }): void {
    const { signal, attempt } = this.#parts
    if (signal.aborted) return
    this.#waitMs = isRefused ? Math.min(this.#waitMs * 2, RETRY_MAX_MS) : RETRY_FIRST_MS
    sleep(jittered(this.#waitMs), undefined, { signal })
      .then(() => this.#answered())
      .then(() => (signal.aborted ? undefined : attempt()))
      .catch(() => {})
  }

  /** Resolves when an address takes connections, or nothing waits for it any more. */
  #answered(): Promise<void> {
    const { urls, signal, onUnreachable } = this.#parts
    return new Promise((resolve) => {
      const open = new Set<Socket>()
      let everyMs = RETRY_FIRST_MS
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        for (const socket of open) socket.destroy()
        resolve()
      }
      const probe = () => {
        for (const url of urls) {
          const socket = connect(serverPlace(url))
          open.add(socket)
          socket
            .once('connect', end)
            .on('error', onUnreachable)
            .once('close', () => open.delete(socket))
            .setTimeout(PROBE_MAX_MS, () => socket.destroy(new Error('timeout')))
        }
        timer = setTimeout(probe, jittered(everyMs))
        everyMs = Math.min(everyMs * 2, PROBE_EVERY_MAX_MS)
      }
      signal.addEventListener('abort', end)
      probe()
    })
  }
}

/** Many machines lost the server at the same moment. */
function jittered(ms: number): number {
  return ms * (0.8 + 0.4 * Math.random())
}
