import { randomBytes } from 'node:crypto'
import { remoteReplyShape } from '../../fleet/payloads.ts'
import type { RemoteCall, RemoteReply } from '../../fleet/shapes.ts'
import { type FleetTransport, TransportError } from '../../fleet/transport.ts'
import { type ForwardedRequest, UNREADABLE_REPLY } from '../api/elsewhere.ts'
import type { PulledText } from '../api/event-stream.ts'
import type { ApiResponse } from '../api/route.ts'
import { Problem } from '../problem.ts'
import type { Membership } from './membership.ts'

export interface OutgoingParts {
  readonly transport: Pick<FleetTransport, 'call'>
  readonly membership: Membership
  readonly now: () => number
}

/** Shorter than a client's patience, so that the person reads the reason. */
const CALL_MAX_MS = 8_000
/** One try: a reply that was lost is asked for again, by the same id. */
const TRY_MAX_MS = 3_000
/** The owner of a stream says something at least every 15 s. */
const STREAM_SILENCE_MAX_MS = 45_000
const ID_BYTES = 12
/** All parts of a reply together: a transcript's end, a timeline, figures of a month. */
const REPLY_MAX_CHARS = 32 * 1_024 * 1_024
/** SPEC FL164. Parts without content must end, too. */
const PART_COST_CHARS = 8_192

/**
 * SPEC FL130–FL132. Requests of this machine to others. A call is signed for one machine, with an
 * id and a deadline: repeated, it is the same call and gets the same reply.
 */
export class OutgoingCalls {
  readonly #parts: OutgoingParts

  constructor(parts: OutgoingParts) {
    this.#parts = parts
  }

  async forward(
    request: ForwardedRequest,
    aheadMs: number,
    signal: AbortSignal,
  ): Promise<ApiResponse> {
    const call = this.#callOf(request, aheadMs)
    try {
      return request.stream
        ? await this.#stream(request.machine, call, signal)
        : await this.#whole(request.machine, call, signal)
    } catch (error) {
      throw this.#problem(request.machine, error)
    }
  }

  #callOf({ method, target, body, stream }: ForwardedRequest, aheadMs: number): RemoteCall {
    return {
      id: randomBytes(ID_BYTES).toString('base64url'),
      method,
      target,
      ...(body === undefined ? {} : { body }),
      deadline: this.#parts.now() + aheadMs + CALL_MAX_MS,
      ...(stream && { stream }),
    }
  }

  /** SPEC FL131. Whether a lost call arrived is not known, so it is repeated and not made anew. */
  async #whole(machine: string, call: RemoteCall, signal: AbortSignal): Promise<ApiResponse> {
    const giveUpAt = performance.now() + CALL_MAX_MS
    for (;;) {
      try {
        const parts: RemoteReply[] = []
        let chars = 0
        for await (const part of this.#replies(machine, call, TRY_MAX_MS, signal)) {
          chars += part.body.length + PART_COST_CHARS
          if (chars > REPLY_MAX_CHARS) throw new TransportError('refused', TOO_LONG)
          parts.push(part)
        }
        const [first] = parts
        if (!first || !parts.at(-1)?.last) throw new TransportError('late', 'the reply was cut off')
        return responseOf(first, parts.map(({ body }) => body).join(''))
      } catch (error) {
        const isLate = error instanceof TransportError && error.fault === 'late'
        if (!isLate || signal.aborted || performance.now() + TRY_MAX_MS > giveUpAt) throw error
      }
    }
  }

  async #stream(machine: string, call: RemoteCall, signal: AbortSignal): Promise<ApiResponse> {
    const end = new AbortController()
    const both = AbortSignal.any([signal, end.signal])
    const replies = this.#replies(machine, call, STREAM_SILENCE_MAX_MS, both)
    const first = await replies.next()
    if (first.done) throw new TransportError('late', 'the reply was cut off')
    const { value } = first
    if (value.status !== 200) {
      end.abort()
      return responseOf(value, value.body)
    }
    let begun = false
    const body: PulledText = {
      next: async () => {
        if (!begun) {
          begun = true
          return value.body
        }
        try {
          const next = await replies.next()
          return next.done ? undefined : next.value.body
        } catch {
          return undefined
        }
      },
      end: () => end.abort(),
    }
    return { status: value.status, headers: { 'content-type': value.type }, body }
  }

  /** Parts in their order, each signed by the machine that was called, for this call alone. */
  async *#replies(
    machine: string,
    call: RemoteCall,
    silenceMaxMs: number,
    signal: AbortSignal,
  ): AsyncGenerator<RemoteReply, void> {
    const { transport, membership } = this.#parts
    const request = membership.seal('call', machine, call)
    let expected = 0
    for await (const bytes of transport.call(machine, request, { silenceMaxMs, signal })) {
      const opened = membership.open(bytes, { kind: 'reply', about: call.id, machine })
      const parsed = opened.ok ? remoteReplyShape.safeParse(opened.payload) : undefined
      if (!parsed?.success) throw new TransportError('refused', UNREADABLE_REPLY)
      if (parsed.data.part !== expected) throw new TransportError('late', 'a part was lost')
      expected += 1
      yield parsed.data
      if (parsed.data.last) return
    }
  }

  #problem(machine: string, error: unknown): unknown {
    if (!(error instanceof TransportError)) return error
    const name = this.#parts.membership.nameOf(machine)
    return new Problem(503, WORDS[error.fault](name, error.message))
  }
}

const TOO_LONG = 'its reply is longer than 32 MB'

const WORDS: Readonly<Record<TransportError['fault'], (name: string, why: string) => string>> = {
  offline: (name) => `${name} is offline; nothing was done`,
  late: (name) => `no reply from ${name} in time; look at the session to see whether it was done`,
  disconnected: (_, why) => `not connected to the fleet’s server; nothing was done. ${why}`,
  full: (_, why) => why,
  refused: (name, why) => `${name}: ${why}`,
}

function responseOf({ status, type }: RemoteReply, body: string): ApiResponse {
  return { status, headers: { 'content-type': type }, body }
}
