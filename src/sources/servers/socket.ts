import { createHash, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { clientFrame, type Frame, FrameReader, MESSAGE_MAX_BYTES, OP } from './frames.ts'

/** A server that does not answer in this time is taken for one that hangs. */
const HANDSHAKE_MS = 3_000
const HEAD_MAX_BYTES = 16_384

export interface SocketEvents {
  readonly onOpen: () => void
  readonly onText: (text: string) => void
  /** Once, whatever ended it; nothing comes after it. */
  readonly onEnd: (why: string) => void
}

/** A WebSocket over a Unix socket: text messages both ways. */
export class UnixWebSocket {
  readonly #events: SocketEvents
  readonly #socket: Socket
  readonly #key = randomBytes(16).toString('base64')
  readonly #frames = new FrameReader()
  readonly #timer: NodeJS.Timeout
  #head: Buffer | undefined = Buffer.alloc(0)
  #parts: Buffer[] = []
  #partsBytes = 0
  #ended = false

  constructor(path: string, events: SocketEvents) {
    this.#events = events
    this.#socket = connect(path)
    this.#timer = setTimeout(() => this.#end('it did not answer'), HANDSHAKE_MS)
    this.#timer.unref()
    this.#socket.on('connect', () => this.#socket.write(greeting(this.#key)))
    this.#socket.on('data', (bytes: Buffer) => this.#guarded(() => this.#take(bytes)))
    this.#socket.on('error', (error) => this.#end(error.message))
    this.#socket.on('close', () => this.#end('it closed the connection'))
    this.#socket.unref()
  }

  send(text: string): void {
    if (!this.#ended && this.#head === undefined)
      this.#socket.write(clientFrame(OP.text, Buffer.from(text)))
  }

  close(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#socket.destroy()
  }

  #end(why: string): void {
    if (this.#ended) return
    this.close()
    this.#events.onEnd(why)
  }

  #guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#end((error as Error).message)
    }
  }

  #take(bytes: Buffer): void {
    if (this.#ended) return
    const rest =
      this.#head === undefined ? bytes : this.#greeted(Buffer.concat([this.#head, bytes]))
    if (rest === undefined || rest.length === 0) return
    for (const frame of this.#frames.take(rest)) this.#frame(frame)
  }

  /** What comes behind the server's answer to the handshake; none while that is not whole. */
  #greeted(head: Buffer): Buffer | undefined {
    const end = head.indexOf('\r\n\r\n')
    if (end < 0 && head.length > HEAD_MAX_BYTES) throw new Error('its answer is no handshake')
    if (end < 0) {
      this.#head = head
      return undefined
    }
    const answer = head.subarray(0, end).toString('latin1')
    if (!isAccepted(answer, this.#key)) throw new Error('it speaks no WebSocket')
    this.#head = undefined
    clearTimeout(this.#timer)
    this.#events.onOpen()
    return head.subarray(end + 4)
  }

  #frame({ op, isLast, body }: Frame): void {
    if (op === OP.ping) this.#socket.write(clientFrame(OP.pong, body))
    if (op === OP.close) this.#end('it closed the connection')
    if (op > OP.binary || this.#ended) return
    this.#parts.push(body)
    this.#partsBytes += body.length
    if (this.#partsBytes > MESSAGE_MAX_BYTES) throw new Error('a message is too long')
    if (!isLast) return
    const text = Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    this.#partsBytes = 0
    this.#events.onText(text)
  }
}

function greeting(key: string): string {
  const lines = [
    'GET / HTTP/1.1',
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Fixed by the protocol. */
const PROTOCOL_ID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

function isAccepted(answer: string, key: string): boolean {
  const expected = createHash('sha1').update(`${key}${PROTOCOL_ID}`).digest('base64')
  const accept = /^sec-websocket-accept: *(\S+)/im.exec(answer)?.[1]
  return /^HTTP\/1\.1 101 /.test(answer) && accept === expected
}
