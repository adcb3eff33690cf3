import { createHash } from 'node:crypto'
import type { Page } from './page.ts'

/** A name the daemon goes by, and the origin of its page under that name. */
export interface Address {
  readonly host: string
  /** None where no page is served. */
  readonly origin: string | null
}

/** A way in: what a request must say to be meant for it. */
export interface Endpoint {
  /** `page` is the Unix socket for shared addresses: what holds for `tcp` holds there. */
  readonly transport: 'unix' | 'tcp' | 'page'
  /** Asked for with each request: shared ones come and go. */
  readonly addresses: () => readonly Address[]
  /** The token itself is kept nowhere but in its file: what is not held cannot be logged. */
  readonly tokenHash: Buffer
  readonly browsers: Recognises | undefined
  readonly page: Page | undefined
  /** Where the page is, for a browser that asks under an address without one. */
  readonly home?: string | undefined
}

/** Who knows the browsers that have signed in. */
interface Recognises {
  /** SPEC OC6. Under another address than the one it was made for, a key is none. */
  byKey(key: string, origin: string): Known | undefined
}

interface Known {
  readonly id: string
  readonly name: string
}

/** No browser finds its way here: there is no page, and a browser's key opens nothing. */
export function unixDoor(token: string): Endpoint {
  const addresses = [{ host: 'vigil', origin: null }]
  return {
    transport: 'unix',
    addresses: () => addresses,
    tokenHash: secretHash(token),
    browsers: undefined,
    page: undefined,
  }
}

export interface SignedInCallers {
  readonly browsers?: Recognises | undefined
  readonly page?: Page | undefined
  /** The page's address on this machine. */
  readonly origin?: string | undefined
}

/**
 * SPEC OC1. The page is under its own address alone. The usual names of this machine are for
 * programs, which have the token: a browser may keep something of another user's for them.
 */
export function tcpDoor(port: number, token: string, visitors: SignedInCallers = {}): Endpoint {
  const { browsers, page, origin } = visitors
  const own = origin === undefined ? [] : [addressAt(origin)]
  const usual = [`127.0.0.1:${port}`, `localhost:${port}`]
    .filter((host) => host !== own[0]?.host)
    .map((host) => ({ host, origin: null }))
  const addresses = [...own, ...usual]
  const endpoint = { transport: 'tcp', addresses: () => addresses, browsers, page } as const
  return { ...endpoint, tokenHash: secretHash(token), home: origin }
}

/**
 * SPEC OC5. Where proxies and tunnels come in. Only this user and root can connect, and nobody
 * else can listen there while no daemon runs: that is what a key for a shared address rests on.
 * The page's own address is not answered here: what comes by a tunnel is not held without a gap.
 */
export function pageDoor(
  token: string,
  { browsers, page }: Pick<SignedInCallers, 'browsers' | 'page'>,
  addresses: Endpoint['addresses'],
): Endpoint {
  return { transport: 'page', addresses, browsers, page, tokenHash: secretHash(token) }
}

/** A browser leaves the usual port out of both. */
export function addressAt(origin: string): Address {
  return { host: new URL(origin).host, origin }
}

export function requestAddress(host: string | undefined, endpoint: Endpoint): Address | undefined {
  return endpoint.addresses().find((address) => address.host === host)
}

export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
