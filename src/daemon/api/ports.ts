import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bound } from '../origin/hold.ts'

export interface BoundServers extends Bound {
  readonly servers: readonly Server[]
}

/** How often to retry: a port may be free for IPv4 and taken for IPv6. */
const TRIES_MAX = 20

/**
 * SPEC OC4. Listens on one port of 127.0.0.1 and of ::1. Browsers try ::1 first for names under
 * `localhost`, and any user may listen there: with a daemon on 127.0.0.1 alone another user could
 * serve a page at the daemon's address. On a machine without IPv6 one socket is enough.
 */
export async function bindPorts(make: () => Server, wanted: number): Promise<BoundServers> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const first = make()
    try {
      await bind(first, { host: '127.0.0.1', port: wanted })
      const second = await bindSixth(make(), portOf(first))
      return boundBy(second ? [first, second] : [first])
    } catch (error) {
      await closed(first)
      const { code = '' } = error as NodeJS.ErrnoException
      if (!(code in TAKEN)) throw error
      if (wanted !== 0) throw new Error(`port ${wanted} ${TAKEN[code]}; ${ELSE}`)
    }
  }
  throw new Error('no port is free on both 127.0.0.1 and ::1')
}

/** Sockets from a holder or from systemd. */
export async function bindGiven(make: () => Server, fds: readonly number[]): Promise<BoundServers> {
  const servers = fds.map(() => make())
  for (const [at, server] of servers.entries()) await bind(server, { fd: fds[at] as number })
  const wrong = servers.map((server) => server.address() as AddressInfo).find(isElsewhere)
  if (!wrong) return boundBy(servers)
  await Promise.all(servers.map(closed))
  throw new Error(
    `${wrong.address}: the service manager passed this address; expected 127.0.0.1 or ::1`,
  )
}

function isElsewhere({ address, port }: AddressInfo, _: number, [first]: AddressInfo[]): boolean {
  return (address !== '127.0.0.1' && address !== '::1') || port !== first?.port
}

const TAKEN: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken',
  EACCES: 'may not be used by this user',
}
/** SPEC P12. On another port, programs configured for this one would not find the daemon. */
const ELSE = 'choose another, or leave out --port to use a free one'
const NO_IPV6 = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

async function bindSixth(server: Server, port: number): Promise<Server | undefined> {
  try {
    await bind(server, { host: '::1', port, ipv6Only: true })
    return server
  } catch (error) {
    await closed(server)
    if (NO_IPV6.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

function boundBy(servers: readonly Server[]): BoundServers {
  const [first] = servers as readonly [Server]
  return { servers, port: portOf(first), fds: servers.map(fdOf) }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** Node has no public API for this; without it the socket cannot be passed to a holder. */
function fdOf(server: Server): number {
  const { _handle: handle } = server as unknown as { _handle: { readonly fd: number } }
  return handle.fd
}

type Where =
  | { readonly path: string }
  | { readonly fd: number }
  | { readonly host: string; readonly port: number; readonly ipv6Only?: boolean }

export function bind(server: Server, where: Where): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
