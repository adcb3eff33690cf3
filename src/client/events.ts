import type { IncomingMessage } from 'node:http'
import type { ChangeEvent } from '../protocol/session.ts'
import type { StreamEvent } from '../protocol/stream.ts'
import { type DaemonFiles, open } from './ask.ts'
import { errorOf } from './errors.ts'
import { type SubscribeOptions, subscribe } from './subscribe.ts'

type Connecting = Pick<SubscribeOptions, 'signal' | 'onConnection' | 'backoffMaxMs'>

export interface EventsOptions extends Connecting {
  /** The id of the last known change, as a listing gives it. Without it the stream begins now. */
  readonly after?: number | undefined
}

export type StreamOptions = Connecting

export async function* eventsOf(
  where: DaemonFiles,
  { after, ...options }: EventsOptions,
): AsyncGenerator<ChangeEvent, void> {
  const lastId = after === undefined ? undefined : String(after)
  const connect = connecting(where, '/v1/events', options.signal)
  for await (const blocks of subscribe({ ...options, connect, lastId }))
    for (const { data } of blocks) yield data as ChangeEvent
}

export async function* streamOf(
  where: DaemonFiles,
  options: StreamOptions,
): AsyncGenerator<readonly StreamEvent[], void> {
  const connect = connecting(where, '/v1/stream', options.signal)
  for await (const blocks of subscribe({ ...options, connect }))
    yield blocks.map(({ data }) => data as StreamEvent)
}

/** Three heartbeats: a daemon that is silent for this long is gone, even if its socket is open. */
const SILENCE_MAX_MS = 45_000

function connecting(where: DaemonFiles, path: string, signal: AbortSignal | undefined) {
  return async (lastId: string | undefined): Promise<IncomingMessage> => {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
    const response = await open(where, { path, headers, signal, silenceMaxMs: SILENCE_MAX_MS })
    if (response.statusCode === 200) return response.setEncoding('utf8')
    response.destroy()
    throw errorOf(response.statusCode ?? 0, '')
  }
}
