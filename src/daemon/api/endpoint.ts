import { createHash } from 'node:crypto'
import type { Page } from './page.ts'

/** A host name of the daemon, and the origin of its page under that name. */
export interface Address {
  readonly host: string
  /** Null where no page is served. */
  readonly origin: string | null
}

/** An endpoint: what a request must contain to be addressed to it. */
export interface Endpoint {
  /** `page` is the Unix socket for shared addresses: the rules of `tcp` apply. */
  readonly transport: 'unix' | 'tcp' | 'page'
  /** Read with each request: shared ones come and go. */
  readonly addresses: () => readonly Address[]
  /** The token itself is only in its file: what is not in memory cannot be logged. */
  readonly tokenHash: Buffer
  readonly browsers: Recognises | undefined
  readonly page: Page | undefined
  /** Where the page is, for a browser that calls an address without one. */
  readonly home?: string | undefined
}

/** Looks up the browsers that have signed in. */
interface Recognises {
  /** SPEC OC6. A key is valid only under the address it was made for. */
  byKey(key: string, origin: string): Known | undefined
}

interface Known {
  readonly id: string
  readonly name: string
}

/** Browsers cannot reach this: there is no page, and a browser's key is not accepted. */
export function unixEndpoint(token: string): Endpoint {
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
 * programs, which have the token: a browser may hold data of another user's page for them.
 */
export function tcpEndpoint(port: number, token: string, visitors: SignedInCallers = {}): Endpoint {
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
 * SPEC OC5. Where proxies and tunnels connect. Only this user and root can connect, and no other
 * user can listen there while no daemon runs: keys for shared addresses depend on that. The page's
 * own address is not served here: a tunnel is not held without a gap.
 */
export function pageEndpoint(
  token: string,
  { browsers, page }: Pick<SignedInCallers, 'browsers' | 'page'>,
  addresses: Endpoint['addresses'],
): Endpoint {
  return { transport: 'page', addresses, browsers, page, tokenHash: secretHash(token) }
}

/** A browser omits the default port from both. */
export function addressAt(origin: string): Address {
  return { host: new URL(origin).host, origin }
}

export function requestAddress(host: string | undefined, endpoint: Endpoint): Address | undefined {
  return endpoint.addresses().find((address) => address.host === host)
}

export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
