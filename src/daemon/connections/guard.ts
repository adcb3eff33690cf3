import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Peer } from '../../platform/socket-owners.ts'

export interface GuardOptions {
  readonly isTrusted: (peer: Peer) => Promise<boolean>
  /** Called once for each connection that is refused. */
  readonly onRefused: () => void
  /** Trusted connections at a time. */
  readonly connectionsMax: number
  /** Connections at a time whose peer is not yet known. */
  readonly waitingMax?: number
}

/** A flood of 10,000 connections a second, each waiting for 50 ms on a machine full of sockets. */
const WAITING_MAX = 512

/**
 * SPEC CT1. Decides about every connection of a server when it is accepted, before a byte of it is
 * read: what a process sent before it closed its socket is never parsed. Connections that wait for
 * the decision, and refused ones, do not count against the trusted ones.
 */
export function guard(server: Server, options: GuardOptions): void {
  const { isTrusted, onRefused, connectionsMax, waitingMax = WAITING_MAX } = options
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  // Node reads this with each connection; only the options of a plain server name it.
  Object.assign(server, { pauseOnConnect: true })
  server.maxConnections = connectionsMax + waitingMax
  let [waiting, trusted] = [0, 0]
  server.on('connection', async (socket: Socket) => {
    const peer = peerOf(socket)
    if (!peer || waiting >= waitingMax) return void socket.destroy()
    waiting += 1
    socket.on('error', ignore)
    const isPassed = await isTrusted(peer)
    waiting -= 1
    if (!isPassed) onRefused()
    // A closing server has cut its connections already, or is about to.
    const isServed = isPassed && server.listening && trusted < connectionsMax
    if (!isServed || socket.destroyed) return void socket.destroy()
    trusted += 1
    socket.once('close', () => {
      trusted -= 1
    })
    socket.off('error', ignore)
    for (const listener of serve) listener.call(server, socket)
    socket.resume()
  })
}

function ignore(): void {}

/** Undefined once it is closed. */
function peerOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): Peer | undefined {
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return undefined
  return { address: remoteAddress, port: remotePort, localAddress, localPort }
}
