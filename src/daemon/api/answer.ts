import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { createApp } from './app.ts'
import type { Endpoint } from './endpoint.ts'
import { type Denial, type Gate, incomingOf, type Refusal } from './gate.ts'
import { deny, hangUp } from './hang-up.ts'

/** Every request goes through the gate first, whatever event delivers it. */
export function answer(
  server: Server,
  app: ReturnType<typeof createApp>,
  endpoint: Endpoint,
  gate: Gate,
): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  const serve = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: () => unreadable(gate, endpoint),
  })
  const take = (incoming: IncomingMessage, outgoing: ServerResponse, admitted?: () => void) => {
    const { socket } = incoming
    // No later request may hide behind a refused one on the same connection.
    if (refused.has(socket)) return void incoming.resume()
    answering.set(socket, outgoing)
    const admission = gate.check(incomingOf(incoming), endpoint)
    if (!admission.ok) {
      refused.add(socket)
      return deny(incoming, outgoing, admission)
    }
    admitted?.()
    serve(incoming, outgoing)
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

/** A message that the adapter could not turn into a request. */
function unreadable(gate: Gate, endpoint: Endpoint): Response {
  const { status, error, reason } = gate.refuse('malformed', 400, endpoint)
  return Response.json({ error, reason }, { status })
}
