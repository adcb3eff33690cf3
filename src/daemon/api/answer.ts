import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { createApp } from './app.ts'
import type { Endpoint } from './endpoint.ts'
import type { PulledText } from './event-stream.ts'
import { type Denial, type Gate, incomingOf, type Refusal } from './gate.ts'
import { deny, hangUp } from './hang-up.ts'
import type { ApiResponse } from './route.ts'

/** Every request goes through the gate first, whatever event delivers it. */
export function answer(
  server: Server,
  app: ReturnType<typeof createApp>,
  endpoint: Endpoint,
  gate: Gate,
): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  const take = (incoming: IncomingMessage, outgoing: ServerResponse, admitted?: () => void) => {
    const { socket } = incoming
    // No later request may hide behind a refused one on the same connection.
    if (refused.has(socket)) return void incoming.resume()
    answering.set(socket, outgoing)
    const request = incomingOf(incoming)
    const admission = gate.check(request, endpoint)
    if (!admission.ok) {
      refused.add(socket)
      return deny(incoming, outgoing, admission)
    }
    admitted?.()
    app({ ...request, body: incoming, outgoing })
      .then((response) => write(response, outgoing))
      .catch(() => outgoing.destroy())
  }
  server.on('request', (incoming, outgoing) => take(incoming, outgoing))
  // Otherwise Node would ask for the body of a request that is not yet admitted.
  server.on('checkContinue', (incoming, outgoing) => {
    take(incoming, outgoing, () => outgoing.writeContinue())
  })
  const refuse = (socket: Duplex, denialOf: () => Denial) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const denial = denialOf()
    const { headersSent, writableFinished } = answering.get(socket) ?? {}
    // A response that has begun can only be cut off.
    if ((headersSent && !writableFinished) || !socket.writable) socket.destroy()
    else hangUp(socket, denial)
  }
  const turnAway = (incoming: IncomingMessage, socket: Duplex) =>
    refuse(socket, () => {
      const admission = gate.check(incomingOf(incoming), endpoint)
      return admission.ok ? gate.refuse('upgrade', 403, endpoint) : admission
    })
  server.on('upgrade', turnAway)
  server.on('connect', turnAway)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return void socket.destroy()
    const [reason, status] = FAULTS[error.code ?? ''] ?? ['malformed', 400]
    refuse(socket, () => gate.refuse(reason, status, endpoint))
  })
}

const FAULTS: Readonly<Record<string, readonly [Refusal, number]>> = {
  HPE_HEADER_OVERFLOW: ['headers', 431],
  ERR_HTTP_REQUEST_TIMEOUT: ['slow', 408],
}

function write({ status, headers, body }: ApiResponse, outgoing: ServerResponse): void {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = Buffer.byteLength(body)
    return void outgoing.writeHead(status, { ...headers, 'content-length': length }).end(body)
  }
  outgoing.writeHead(status, headers)
  if (body === null) return void outgoing.end()
  outgoing.once('close', () => body.end())
  if (outgoing.closed) body.end()
  outgoing.flushHeaders()
  pour(body, outgoing)
}

/** Pulls the next text once the last one has left: nothing is queued for a slow reader. */
async function pour(text: PulledText, outgoing: ServerResponse): Promise<void> {
  for (let next = await text.next(); next !== undefined; next = await text.next())
    if (!outgoing.write(next)) return void outgoing.once('drain', () => pour(text, outgoing))
  outgoing.end()
}
