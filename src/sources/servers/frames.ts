import { randomBytes } from 'node:crypto'

/** WebSocket frames, as a client sends and reads them (RFC 6455). Pure but for the mask. */

/** A message of an agent's server; a thread with its turns may be large. */
export const MESSAGE_MAX_BYTES = 32 * 1024 * 1024

export const OP = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface Frame {
  readonly op: number
  readonly isLast: boolean
  readonly body: Buffer
}

/** A frame from a client is masked; the mask only has to differ. */
export function clientFrame(op: number, body: Buffer, mask: Buffer = randomBytes(4)): Buffer {
  const masked = Buffer.from(body)
  for (let i = 0; i < masked.length; i++) masked[i] = (masked[i] ?? 0) ^ (mask[i & 3] ?? 0)
  return Buffer.concat([headOf(op, body.length), mask, masked])
}

function headOf(op: number, length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | op, 0x80 | length])
  if (length < 65_536) return Buffer.from([0x80 | op, 0xfe, length >> 8, length & 0xff])
  const head = Buffer.alloc(10)
  head[0] = 0x80 | op
  head[1] = 0xff
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** What is not a frame, or too long for one. */
class BadFrame extends Error {
  override readonly name = 'BadFrame'
}

/** Takes bytes as they come and gives whole frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  take(bytes: Buffer): readonly Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const frames: Frame[] = []
    for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame)
    return frames
  }

  #next(): Frame | undefined {
    const rest = this.#rest
    if (rest.length < 2) return undefined
    const [first = 0, second = 0] = rest
    if (second & 0x80) throw new BadFrame('a frame from a server is not masked')
    const short = second & 0x7f
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (rest.length < head) return undefined
    const length = lengthIn(rest, short)
    if (length > MESSAGE_MAX_BYTES) throw new BadFrame(`a frame of ${length} bytes is too long`)
    if (rest.length < head + length) return undefined
    this.#rest = rest.subarray(head + length)
    return {
      op: first & 0x0f,
      isLast: (first & 0x80) !== 0,
      body: rest.subarray(head, head + length),
    }
  }
}

function lengthIn(bytes: Buffer, short: number): number {
  if (short === 126) return bytes.readUInt16BE(2)
  return short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
}
