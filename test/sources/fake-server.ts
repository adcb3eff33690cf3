import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { OP } from '../../src/sources/servers/frames.ts'
import { after, folder } from './support.ts'

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** An agent's server: a WebSocket on a Unix socket, whose answers a test gives. */
export class FakeServer {
  readonly path: string
  /** Messages of the client, oldest first. */
  readonly got: Record<string, unknown>[] = []
  /** Called with each message of the client. */
  onMessage: (message: Record<string, unknown>) => void = () => {}
  connections = 0
  #socket: Socket | undefined

  private constructor(path: string) {
    this.path = path
  }

  static async start(): Promise<FakeServer> {
    const root = join(folder(), 'own')
    mkdirSync(root, { mode: 0o700 })
    const fake = new FakeServer(join(root, 'sock'))
    const server = createServer((socket) => fake.#meet(socket))
    await new Promise<void>((resolve) => server.listen(fake.path, resolve))
    after(() => {
      fake.hangUp()
      server.close()
    })
    return fake
  }

  send(message: object | string): void {
    const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))
    const length =
      body.length < 126 ? [body.length] : [126, (body.length >> 8) & 255, body.length & 255]
    this.#socket?.write(Buffer.concat([Buffer.from([0x80 | OP.text, ...length]), body]))
  }

  hangUp(): void {
    this.#socket?.destroy()
  }

  #meet(socket: Socket): void {
    this.#socket = socket
    this.connections += 1
    let [rest, isOpen] = [Buffer.alloc(0), false]
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      const end = isOpen ? -1 : rest.indexOf('\r\n\r\n')
      if (!isOpen && end < 0) return
      if (!isOpen) {
        const key = /sec-websocket-key: *(\S+)/i.exec(rest.toString('latin1'))?.[1]
        const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64')
        const head = ['HTTP/1.1 101 Switching Protocols', `Sec-WebSocket-Accept: ${accept}`]
        socket.write(`${head.join('\r\n')}\r\n\r\n`)
        rest = rest.subarray(end + 4)
        isOpen = true
      }
      rest = this.#frames(rest)
    })
  }

  #frames(given: Buffer): Buffer<ArrayBuffer> {
    let rest = Buffer.from(given)
    for (;;) {
      const short = (rest[1] ?? 0) & 127
      const head = short === 126 ? 4 : 2
      const length = short === 126 && rest.length >= 4 ? rest.readUInt16BE(2) : short
      if (rest.length < head + 4 + length) return rest
      const mask = rest.subarray(head, head + 4)
      const body = rest
        .subarray(head + 4, head + 4 + length)
        .map((byte, i) => byte ^ (mask[i & 3] ?? 0))
      const message = JSON.parse(Buffer.from(body).toString())
      rest = rest.subarray(head + 4 + length)
      this.got.push(message)
      this.onMessage(message)
    }
  }
}
