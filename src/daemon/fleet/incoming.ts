import { Readable } from 'node:stream'
import { CALL_AHEAD_MAX_MS, type CallFault, type CallGuard } from '../../fleet/call-guard.ts'
import { remoteCallShape } from '../../fleet/payloads.ts'
import type { Heartbeat, RemoteCall, RemoteReply } from '../../fleet/shapes.ts'
import type { MemberCaller } from '../api/admit.ts'
import type { PulledText } from '../api/event-stream.ts'
import type { ApiRequest, ApiResponse } from '../api/route.ts'
import type { Membership } from './membership.ts'

export interface IncomingParts {
  readonly membership: Membership
  readonly guard: CallGuard<ApiResponse>
  /** This machine's API, for a caller whose signature was checked. */
  readonly app: (request: ApiRequest, member: MemberCaller) => Promise<ApiResponse>
  readonly now: () => number
  /** Of this daemon. */
  readonly startedAt: number
  /** A call from this machine's own id, which no daemon makes to itself. */
  readonly onOwnCall?: () => void
  /** SPEC FL160. Which rows of this machine are stored. */
  readonly stored: () => Pick<Heartbeat, 'rows' | 'digest'>
}

/** SPEC FL160. No route of the API: every member may ask whether this machine is there. */
export const WORD_TARGET = '/word'

/** Callers allow 8 s for a call, and know this machine's clock to a second or two. */
const MARGIN_MS = 5_000
/** A message may have 900 KB; characters may take three bytes each, and JSON escapes some. */
const PART_CHARS = 100_000
/** A quarter of what the connection serves at once. */
const RUNNING_MAX = 32
/** Each shows a pane. A machine watches sixteen: some stay for its own user. */
const STREAMS_MAX = 6
const STREAMS_MAX_IN_ALL = 12

/**
 * SPEC FL133–FL135. Requests of other machines. What is not signed by a member, not for this
 * machine, expired or repeated runs nothing; a repeated call gets the reply of the first.
 */
export class IncomingCalls {
  readonly #parts: IncomingParts
  /** By member, how many of its calls are not ended. */
  readonly #running = new Map<string, number>()
  readonly #streams = new Map<string, number>()

  constructor(parts: IncomingParts) {
    this.#parts = parts
  }

  async *serve(bytes: Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const { membership } = this.#parts
    const opened = membership.open(bytes, { kind: 'call', about: membership.machine })
    // A caller that cannot be named gets no reply: there is no machine to sign one for.
    if (!opened.ok) return
    const parsed = remoteCallShape.safeParse(opened.payload)
    if (!parsed.success) return
    const { machine } = opened.head
    const call = parsed.data
    if (machine === membership.machine) this.#parts.onOwnCall?.()
    const counts = call.stream ? this.#streams : this.#running
    if (this.#isFull(machine, call)) {
      yield* this.#whole(call, refused('full'))
      return
    }
    counts.set(machine, (counts.get(machine) ?? 0) + 1)
    try {
      const response = await this.#once(machine, call)
      if (call.stream) yield* this.#streamed(call, response, signal)
      else yield* this.#whole(call, response)
    } finally {
      const left = (counts.get(machine) ?? 1) - 1
      if (left > 0) counts.set(machine, left)
      else counts.delete(machine)
    }
  }

  /** SPEC FL164. Members keep out neither each other nor this machine's own user. */
  #isFull(machine: string, { stream }: RemoteCall): boolean {
    if (!stream) return (this.#running.get(machine) ?? 0) >= RUNNING_MAX
    const all = [...this.#streams.values()].reduce((sum, count) => sum + count, 0)
    return (this.#streams.get(machine) ?? 0) >= STREAMS_MAX || all >= STREAMS_MAX_IN_ALL
  }

  /** What only reads may be done again; what changes something is done once for each id. */
  #once(machine: string, call: RemoteCall): ApiResponse | Promise<ApiResponse> {
    const { guard, now, startedAt, stored } = this.#parts
    if (call.target === WORD_TARGET) return answered(200, stored())
    const ask = () => this.#ask(machine, call)
    if (call.method === 'GET') {
      const leftMs = call.deadline - now()
      const why = leftMs > CALL_AHEAD_MAX_MS ? 'far' : leftMs > 0 ? undefined : 'expired'
      return why === undefined ? ask() : refused(why)
    }
    // SPEC FL135. It may have been done by the daemon before this one, which took its memory along.
    if (call.deadline <= startedAt + CALL_AHEAD_MAX_MS - MARGIN_MS) return refused('early')
    const admitted = guard.admit(machine, call, now(), ask)
    return admitted.ok ? admitted.reply : refused(admitted.why)
  }

  #ask(machine: string, { method, target, body }: RemoteCall): Promise<ApiResponse> {
    const { membership, app } = this.#parts
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const headers = { 'content-length': [String(bytes.length)] }
    const member = {
      kind: 'member',
      machine,
      name: membership.nameOf(machine),
      right: membership.rightOf(machine),
    } as const
    return app({ method, target, headers, body: Readable.from([bytes]) }, member)
  }

  *#whole(call: RemoteCall, response: ApiResponse): Generator<Uint8Array> {
    const { status, headers, body } = withoutStream(response)
    const text = typeof body === 'string' ? body : ''
    const type = headers['content-type'] ?? 'text/plain'
    for (let at = 0, part = 0; at === 0 || at < text.length; at += PART_CHARS, part += 1) {
      const last = at + PART_CHARS >= text.length
      yield this.#sealed(call, {
        status,
        type,
        body: text.slice(at, at + PART_CHARS),
        part,
        last,
      })
    }
  }

  async *#streamed(
    call: RemoteCall,
    response: ApiResponse,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    const { status, headers, body } = response
    if (!isStream(body)) {
      yield* this.#whole(call, response)
      return
    }
    const type = headers['content-type'] ?? 'text/event-stream'
    signal.addEventListener('abort', () => body.end(), { once: true })
    try {
      for (let part = 0; !signal.aborted; part += 1) {
        const text = await body.next()
        if (text === undefined) return
        yield this.#sealed(call, { status, type, body: text, part, last: false })
      }
    } finally {
      body.end()
    }
  }

  #sealed(call: RemoteCall, reply: RemoteReply): Uint8Array {
    return this.#parts.membership.seal('reply', call.id, reply)
  }
}

const FAULTS: Readonly<Record<CallFault | 'early', string>> = {
  early: 'vigil has just started there; nothing was done. Try again in a few seconds',
  expired: 'the request came too late; nothing was done. Try again',
  far: 'the clocks of the two machines differ by more than is known; try again in ten seconds',
  full: 'too many requests from other machines; nothing was done. Try again in a minute',
}

/** SPEC FL181. Nothing would end it: its caller expects one reply, and says nothing after it. */
function withoutStream(response: ApiResponse): ApiResponse {
  const { body } = response
  if (!isStream(body)) return response
  body.end()
  return answered(400, { error: 'this is a stream, and was not asked for as one' })
}

function isStream(body: ApiResponse['body']): body is PulledText {
  return typeof body === 'object' && body !== null && 'next' in body
}

function refused(why: CallFault | 'early'): ApiResponse {
  return answered(503, { error: FAULTS[why] })
}

function answered(status: number, said: object): ApiResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(said) }
}
