import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './answer.ts'
import type { createApp } from './app.ts'
import { type Door, tcpDoor, unixDoor, type Visitors } from './door.ts'
import type { Gate } from './gate.ts'
import { clearSocket, draftOf, placeSocket } from './socket-file.ts'

interface ServerLimits {
  readonly headersMs: number
  /** From the first byte to the last of the body. */
  readonly requestMs: number
  /** How often the two above are looked at. */
  readonly checkMs: number
  readonly headersMaxBytes: number
  readonly connectionsMax: number
}

export interface ListenOptions extends Visitors {
  /** The app behind a door, made when the door is known. */
  readonly app: (door: Door) => ReturnType<typeof createApp>
  readonly gate: Gate
  readonly token: string
  /** Path of the Unix socket. The caller holds the daemon's lock. */
  readonly socket: string
  /** For pages. 0 takes any free port, as does a wanted one that is taken; none listens on none. */
  readonly port?: number | undefined
  /** Called first when closing: streams end, or closing would wait for them. */
  readonly onClose?: () => void
  readonly limits?: Partial<ServerLimits>
}

export interface Listening {
  readonly socket: string
  readonly port: number | undefined
  /** Takes no more connections, lets answers finish until the deadline, then cuts them off. */
  close(deadlineMs?: number): Promise<void>
}

/**
 * A page that keeps its connection must not keep the daemon: in two seconds all of it is over, also
 * on a busy machine, where the rest of it took up to 1.5 s. Answers take milliseconds.
 */
const CLOSE_DEADLINE_MS = 500

const LIMITS: ServerLimits = {
  headersMs: 5_000,
  requestMs: 15_000,
  checkMs: 1_000,
  headersMaxBytes: 16 * 1024,
  connectionsMax: 256,
}

export async function listen(options: ListenOptions): Promise<Listening> {
  const servers: Server[] = []
  try {
    servers.push(await listenOnSocket(options))
    if (options.port !== undefined) servers.push(await listenOnPort(options, options.port))
  } catch (error) {
    await Promise.all(servers.map((server) => closeOf(server, 0)))
    throw error
  }
  const [, tcp] = servers
  return {
    socket: options.socket,
    port: tcp && (tcp.address() as AddressInfo).port,
    close: async (deadlineMs = CLOSE_DEADLINE_MS) => {
      options.onClose?.()
      await Promise.all(servers.map((server) => closeOf(server, deadlineMs)))
    },
  }
}

async function listenOnSocket(options: ListenOptions): Promise<Server> {
  const { socket, token } = options
  await clearSocket(socket)
  const server = serverOf(options)
  await bindSocket(server, socket)
  openTo(server, unixDoor(token), options)
  return server
}

async function listenOnPort(options: ListenOptions, wanted: number): Promise<Server> {
  const server = serverOf(options)
  // The address and not the name: `localhost` may be another family's, or somebody's in hosts.
  const host = '127.0.0.1'
  try {
    await bind(server, { host, port: wanted })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (wanted === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error
    await bind(server, { host, port: 0 })
  }
  const { port } = server.address() as AddressInfo
  openTo(server, tcpDoor(port, options.token, options), options)
  return server
}

function serverOf({ limits }: ListenOptions): Server {
  const { headersMs, requestMs, checkMs, headersMaxBytes, connectionsMax } = limitsOf(limits)
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: headersMaxBytes,
    insecureHTTPParser: false,
    // `admit` refuses those without one, in its own words and counted.
    requireHostHeader: false,
  })
  server.maxConnections = connectionsMax
  return server
}

function limitsOf(given: Partial<ServerLimits> = {}): ServerLimits {
  return { ...LIMITS, ...given }
}

/** A connection is taken in a later turn of the event loop: nobody finds the server unguarded. */
function openTo(server: Server, door: Door, { app, gate }: ListenOptions): void {
  answer(server, app(door), door, gate)
}

/** Closing removes the name it was bound to, whoever has that by then: it gets its own later. */
async function bindSocket(server: Server, socket: string): Promise<void> {
  const draft = draftOf(socket)
  await bind(server, { path: draft })
  server.once('close', placeSocket(draft, socket))
}

function bind(server: Server, where: { path: string } | { host: string; port: number }) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closeOf(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), deadlineMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
