import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node'
import { TransportError } from '../transport.ts'

/** Half of what a server accepts as delivered: others on the connection need not wait long. */
const PART_BYTES_MAX = 500_000

/** A part that is put together again; and what a caller leaves unread. */
const WHOLE_BYTES_MAX = 32 * 1024 * 1024

/** SPEC FL164. Messages without content must end, too: each takes memory until it is read. */
const MESSAGE_COST_BYTES = 1_024

/** The caller and the id of its call, in the request. */
export const CALL_HEADER = 'Vigil-Call'
const NUMBER = 'Vigil-Part'
/** `more`: the same part goes on in the next message; `end` and `failed` have no content. */
const KIND = 'Vigil-Kind'

export type PartKind = 'more' | 'part' | 'end' | 'failed' | 'busy'

export function partHeaders(number: number, kind: PartKind): MsgHdrs {
  const marks = headers()
  marks.set(NUMBER, String(number))
  marks.set(KIND, kind)
  return marks
}

/** The pieces of one part, in messages that the server accepts. */
export function messagePieces(part: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(part.length / PART_BYTES_MAX))
  return Array.from({ length: count }, (_, index) =>
    part.subarray(index * PART_BYTES_MAX, (index + 1) * PART_BYTES_MAX),
  )
}

/** What a call has received, until its caller asks for it. */
export class PartQueue {
  readonly #parts: { readonly bytes: Uint8Array; readonly cost: number }[] = []
  /** Of the part that is not complete. */
  #pieces: Uint8Array[] = []
  /** Of all that is unread. */
  #cost = 0
  #piecesCost = 0
  #count = 0
  #isOver = false
  #fault: unknown
  #wake: (() => void) | undefined

  get isOver(): boolean {
    return this.#isOver
  }

  take(message: Msg): void {
    if (this.#isOver) return
    const kind = message.headers?.get(KIND)
    const fault = this.#faultOf(message, kind)
    if (fault !== undefined || kind === 'end') {
      this.end(fault)
      return
    }
    this.#count += 1
    this.#cost += costOf(message)
    this.#piecesCost += costOf(message)
    this.#pieces.push(message.data)
    if (kind !== 'more') {
      this.#parts.push({ bytes: Buffer.concat(this.#pieces), cost: this.#piecesCost })
      this.#pieces = []
      this.#piecesCost = 0
    }
    this.#wake?.()
  }

  /** Without a fault the reply is complete. */
  end(fault?: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#fault = fault
    this.#wake?.()
  }

  /** The next part, undefined at the end. A message that continues a part breaks the silence. */
  async next(silenceMaxMs: number): Promise<Uint8Array | undefined> {
    while (this.#parts.length === 0 && !this.#isOver) {
      const heard = this.#count
      await this.#change(silenceMaxMs)
      if (this.#count === heard && !this.#isOver)
        throw new TransportError('late', `No reply came within ${silenceMaxMs} ms.`)
    }
    const part = this.#parts.shift()
    if (part === undefined && this.#fault !== undefined) throw this.#fault
    this.#cost -= part?.cost ?? 0
    return part?.bytes
  }

  #faultOf(message: Msg, kind: string | undefined): TransportError | undefined {
    const { headers, data } = message
    if (data.length === 0 && headers?.code === 503)
      return new TransportError('offline', 'The machine is not connected to the fleet.')
    if (Number(headers?.get(NUMBER)) !== this.#count)
      return new TransportError('late', 'A part of the reply was lost on its way.')
    if (kind === 'busy' || kind === 'failed') return new TransportError('refused', WORDS[kind])
    if (this.#cost + costOf(message) > WHOLE_BYTES_MAX)
      return new TransportError('refused', 'The reply is larger than vigil accepts.')
    return undefined
  }

  #change(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function costOf({ data }: Msg): number {
  return data.length + MESSAGE_COST_BYTES
}

const WORDS = {
  busy: 'The machine serves as many requests as it can: try again later.',
  failed: 'The machine could not answer the request.',
}
