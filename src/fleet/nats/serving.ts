import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Serve } from '../transport.ts'
import { CALL_HEADER, messagePieces, type PartKind, partHeaders } from './parts.ts'
import { type FleetNames, isToken } from './subjects.ts'

/** A caller that has not said for so long that it listens has gone. */
const HELD_MAX_MS = 15_000

/** Open streams of every viewer, and more; a member that asks without end is refused. */
const SERVED_MAX = 128

/** SPEC FL186. What may be on its way to a server that takes it slowly. */
const UNFLUSHED_MAX_BYTES = 1_000_000

interface Served {
  readonly abort: AbortController
  readonly timer: NodeJS.Timeout
}

export interface ServingContext {
  readonly nats: NatsConnection
  readonly names: FleetNames
  readonly machine: string
  readonly serve: Serve
  readonly onFault: (error: unknown) => void
}

/** SPEC FL68–FL70. Serves the requests of other machines on one connection. */
export class Serving {
  readonly #context: ServingContext
  readonly #subscriptions: Subscription[]
  readonly #served = new Map<string, Served>()

  constructor(context: ServingContext) {
    this.#context = context
    const { nats, names, machine } = context
    const guarded = (take: (message: Msg) => void) => ({
      callback: (error: Error | null, message: Msg) => {
        try {
          if (error === null) take(message)
          else context.onFault(error)
        } catch (fault) {
          context.onFault(fault)
        }
      },
    })
    this.#subscriptions = [
      nats.subscribe(
        `${names.call}.${machine}`,
        guarded((message) => this.#onCall(message)),
      ),
      nats.subscribe(
        `${names.hold}.*.${machine}.*`,
        guarded((message) => this.#onHold(message)),
      ),
    ]
  }

  close(): void {
    for (const { abort } of this.#served.values()) abort.abort()
    if (this.#context.nats.isClosed()) return
    for (const subscription of this.#subscriptions) subscription.unsubscribe()
  }

  /**
   * The subject of the reply follows from who asks whom. The one in the message could name any
   * subject that this machine may write, as its rows.
   */
  #onCall(message: Msg): void {
    const { names, machine, nats } = this.#context
    const [caller, id, more] = message.headers?.get(CALL_HEADER).split('.') ?? []
    if (!isToken(caller) || !isToken(id) || more !== undefined) return
    const path = `${caller}.${machine}.${id}`
    if (this.#served.has(path)) return
    const reply = `${names.reply}.${path}`
    if (this.#served.size >= SERVED_MAX) {
      nats.publish(reply, '', { headers: partHeaders(0, 'busy') })
      return
    }
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), HELD_MAX_MS)
    this.#served.set(path, { abort, timer })
    this.#reply(reply, message.data, abort.signal)
      .catch((error) => this.#context.onFault(error))
      .finally(() => {
        clearTimeout(timer)
        this.#served.delete(path)
      })
  }

  #onHold(message: Msg): void {
    const path = message.subject.slice(this.#context.names.hold.length + 1)
    const served = this.#served.get(path)
    if (message.string() === 'stop') served?.abort.abort()
    else served?.timer.refresh()
  }

  async #reply(subject: string, request: Uint8Array, signal: AbortSignal): Promise<void> {
    const { nats, serve, onFault } = this.#context
    let number = 0
    let unflushed = 0
    const send = async (bytes: Uint8Array, kind: PartKind) => {
      if (signal.aborted || nats.isClosed()) return
      nats.publish(subject, bytes, { headers: partHeaders(number, kind) })
      number += 1
      unflushed += bytes.length
      if (unflushed < UNFLUSHED_MAX_BYTES) return
      // The server has taken it, so that a slow connection does not fill this process.
      await nats.flush()
      unflushed = 0
    }
    const sendPart = async (part: Uint8Array) => {
      const pieces = messagePieces(part)
      for (const [index, piece] of pieces.entries())
        await send(piece, index < pieces.length - 1 ? 'more' : 'part')
    }
    try {
      for await (const part of untilAborted(serve(request, signal), signal)) await sendPart(part)
      await send(new Uint8Array(), 'end')
    } catch (error) {
      if (signal.aborted) return
      // The text may be secret, and the server could read it.
      onFault(error)
      await send(new Uint8Array(), 'failed')
    }
  }
}

/** Ends with the signal, also where the iteration does not heed it. */
async function* untilAborted<T>(parts: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]()
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  try {
    while (!signal.aborted) {
      const next = iterator.next()
      next.catch(() => {})
      const result = await Promise.race([next, aborted])
      if (result === undefined || result.done) return
      yield result.value
    }
  } finally {
    iterator.return?.().catch(() => {})
  }
}
