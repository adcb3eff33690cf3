import type { Server } from 'node:http'
import { showsSocketOwners } from '../../platform/socket-owners.ts'
import type { Complain } from '../../sources/arrival.ts'
import { guard } from '../connections/guard.ts'
import { Peers } from '../connections/peers.ts'
import type { Bound } from '../origin/hold.ts'
import { answer } from './answer.ts'
import type { createApp } from './app.ts'
import {
  type Endpoint,
  pageEndpoint,
  type SignedInCallers,
  tcpEndpoint,
  unixEndpoint,
} from './endpoint.ts'
import type { Gate } from './gate.ts'
import { bind, bindGiven, bindPorts } from './ports.ts'
import { clearSocket, draftOf, placeSocket } from './socket-file.ts'

/** SPEC LI8. `import` would read every name of the module, and some load Node's HTTP client. */
const { createServer } = process.getBuiltinModule('node:http')

interface ServerLimits {
  readonly headersMs: number
  /** From the first byte to the last of the body. */
  readonly requestMs: number
  /** How often the two limits above are checked. */
  readonly checkMs: number
  readonly headersMaxBytes: number
  readonly connectionsMax: number
}

export interface ListenOptions extends Omit<SignedInCallers, 'origin'> {
  /** The app behind an endpoint, made when the endpoint is known. */
  readonly app: (endpoint: Endpoint) => ReturnType<typeof createApp>
  readonly gate: Gate
  readonly token: string
  /** Path of the Unix socket. The caller holds the daemon's lock. */
  readonly socket: string
  /** For pages. 0 takes any free port; undefined listens on none. */
  readonly port?: number | undefined
  /** Instead of a port: listening sockets that already exist. */
  readonly fds?: readonly number[] | undefined
  /** Where the page is, given the bound sockets. */
  readonly origin?: (bound: Bound) => string
  /** Path of the Unix socket for shared addresses. */
  readonly pageSocket?: string | undefined
  /** SPEC DR11. Addresses at which the user lets other devices reach the daemon. */
  readonly shared?: Endpoint['addresses'] | undefined
  /** Called first when closing: streams must end, or closing would wait for them. */
  readonly onClose?: () => void
  readonly limits?: Partial<ServerLimits>
  readonly complain?: Complain | undefined
}

export interface Listening {
  readonly socket: string
  readonly port: number | undefined
  /** Where the page is on this machine. */
  readonly origin: string | undefined
  /** Also listens on another Unix socket, for these addresses; returns how to end that. */
  listenAt(path: string, addresses: Endpoint['addresses']): Promise<() => Promise<void>>
  /** Accepts no more connections, lets responses finish until the deadline, then cuts them off. */
  close(deadlineMs?: number): Promise<void>
}

/**
 * A page that keeps its connection must not keep the daemon: it ends within two seconds, also on a
 * busy machine, where the rest of it took up to 1.5 s. Responses take milliseconds.
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
  const { socket, pageSocket, token, port, shared = () => [] } = options
  const servers: Server[] = []
  try {
    servers.push(await listenOnSocket(options, socket, unixEndpoint(token)))
    const tcp = port === undefined ? undefined : await listenOnPort(options, port, servers)
    if (pageSocket !== undefined)
      servers.push(await listenOnSocket(options, pageSocket, pageEndpoint(token, options, shared)))
    return {
      socket,
      port: tcp?.port,
      origin: tcp?.origin,
      listenAt: async (path, addresses) => {
        const server = await listenOnSocket(options, path, pageEndpoint(token, options, addresses))
        servers.push(server)
        return () => closeOf(servers.splice(servers.indexOf(server), 1)[0] as Server, 0)
      },
      close: async (deadlineMs = CLOSE_DEADLINE_MS) => {
        options.onClose?.()
        await Promise.all(servers.map((server) => closeOf(server, deadlineMs)))
      },
    }
  } catch (error) {
    await Promise.all(servers.map((server) => closeOf(server, 0)))
    throw error
  }
}

async function listenOnSocket(
  options: ListenOptions,
  path: string,
  endpoint: Endpoint,
): Promise<Server> {
  await clearSocket(path)
  const server = serverOf(options)
  await bindSocket(server, path)
  openTo(server, endpoint, options)
  return server
}

async function listenOnPort(options: ListenOptions, wanted: number, servers: Server[]) {
  const { fds, token, origin: originOf } = options
  const make = () => serverOf(options)
  const bound = fds ? await bindGiven(make, fds) : await bindPorts(make, wanted)
  servers.push(...bound.servers)
  const origin = originOf?.(bound)
  const endpoint = tcpEndpoint(bound.port, token, { ...options, origin })
  for (const server of bound.servers) {
    openTo(server, endpoint, options)
    guardPeers(server, endpoint, options)
  }
  return { port: bound.port, origin }
}

function serverOf({ limits }: ListenOptions): Server {
  const { headersMs, requestMs, checkMs, headersMaxBytes, connectionsMax } = limitsOf(limits)
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: headersMaxBytes,
    insecureHTTPParser: false,
    // `admit` refuses those without one, with its own message, and counts them.
    requireHostHeader: false,
  })
  server.maxConnections = connectionsMax
  return server
}

function limitsOf(given: Partial<ServerLimits> = {}): ServerLimits {
  return { ...LIMITS, ...given }
}

/** SPEC CT4. Only Linux reveals a connection's user; elsewhere this refuses no connection. */
function guardPeers(
  server: Server,
  endpoint: Endpoint,
  { gate, limits, complain }: ListenOptions,
): void {
  if (!showsSocketOwners()) return
  const peers = new Peers({ complain })
  guard(server, {
    isTrusted: (peer) => peers.isTrusted(peer),
    onRefused: () => gate.refuse('user', 403, endpoint),
    connectionsMax: limitsOf(limits).connectionsMax,
  })
}

/** Connections are accepted in a later turn of the event loop, so the server is never unguarded. */
function openTo(server: Server, endpoint: Endpoint, { app, gate }: ListenOptions): void {
  answer(server, app(endpoint), endpoint, gate)
}

/**
 * Closing removes the name it was bound to, even if another owns it by then: it is renamed later.
 */
async function bindSocket(server: Server, socket: string): Promise<void> {
  const draft = draftOf(socket)
  await bind(server, { path: draft })
  server.once('close', placeSocket(draft, socket))
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
