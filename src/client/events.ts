import type { IncomingMessage } from 'node:http'
import type { ChangeEvent } from '../protocol/session.ts'
import { open, type Whereabouts } from './ask.ts'
import { errorOf } from './errors.ts'
import { EventReader } from './event-reader.ts'

export interface EventsOptions {
  /** The id of the last change known, as a listing gives it; without it, the present. */
  readonly after?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told of every connection made and lost, so that a surface can say that it shows the past. */
  readonly onConnection?: (connected: boolean, error?: Error) => void
  readonly backoffMaxMs?: number
  /** Somebody is there who could answer requests. */
  readonly answers?: boolean
}

/** A daemon that restarts is back within this; one that is gone must not be asked all the time. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 5_000

/** Three heartbeats: a daemon that says nothing for so long is gone, whatever its socket says. */
const SILENCE_MAX_MS = 45_000

/** Reads for ever: reconnects where it was, until aborted. */
export async function* eventsOf(
  where: Whereabouts,
  options: EventsOptions,
): AsyncGenerator<ChangeEvent, void> {
  const { signal, onConnection = () => {}, backoffMaxMs = BACKOFF_MAX_MS } = options
  const path = options.answers ? '/v1/events?answers=true' : '/v1/events'
  let after = options.after
  let backoffMs = BACKOFF_FIRST_MS
  while (!signal?.aborted) {
    try {
      const response = await subscribe(where, path, after, signal)
      onConnection(true)
      const reader = new EventReader()
      for await (const chunk of response) {
        backoffMs = BACKOFF_FIRST_MS
        for (const event of reader.read(chunk)) yield event
        after = reader.lastId ?? after
      }
      onConnection(false)
    } catch (error) {
      if (signal?.aborted) return
      onConnection(false, error as Error)
    }
    await pause(backoffMs, signal)
    backoffMs = Math.min(2 * backoffMs, backoffMaxMs)
  }
}

async function subscribe(
  where: Whereabouts,
  path: string,
  after: number | undefined,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  const headers = after === undefined ? {} : { 'last-event-id': String(after) }
  const response = await open(where, { path, headers, signal, silenceMaxMs: SILENCE_MAX_MS })
  if (response.statusCode === 200) return response
  response.destroy()
  throw errorOf(response.statusCode ?? 0, '')
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
