import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Denial } from './gate.ts'

/** SPEC LI8. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/**
 * How long a refused sender may continue: its data is discarded, because closing while bytes arrive
 * resets the connection and loses the response.
 */
export const LINGER_MS = 1_000

/** Refuses a well-formed request. */
export function deny(incoming: IncomingMessage, outgoing: ServerResponse, denial: Denial): void {
  const body = bodyOf(denial)
  outgoing.writeHead(denial.status, { ...HEADERS, 'content-length': Buffer.byteLength(body) })
  outgoing.write(body)
  const end = () => {
    clearTimeout(late)
    outgoing.end()
  }
  const late = setTimeout(end, LINGER_MS)
  incoming.once('end', end)
  incoming.once('close', end)
  incoming.resume()
}

/** Refuses a malformed request or an upgrade. */
export function hangUp(socket: Duplex, denial: Denial): void {
  const body = bodyOf(denial)
  const { status } = denial
  const headers = Object.entries({ ...HEADERS, 'content-length': Buffer.byteLength(body) })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.resume()
  const late = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(late))
}

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

function bodyOf({ error, reason }: Denial): string {
  return JSON.stringify({ error, reason })
}
