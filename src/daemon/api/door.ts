import { createHash } from 'node:crypto'
import type { Page } from './page.ts'

/** A name the daemon goes by, and the origin of its page under that name. */
export interface Address {
  readonly host: string
  /** None where no page is served. */
  readonly origin: string | null
}

/** A way in: what a request must say to be meant for it. */
export interface Door {
  readonly transport: 'unix' | 'tcp'
  /** Asked for with each request: shared ones come and go. */
  readonly addresses: () => readonly Address[]
  /** The token itself is kept nowhere but in its file: what is not held cannot be logged. */
  readonly tokenHash: Buffer
  readonly browsers: Recognises | undefined
  readonly page: Page | undefined
}

/** Who knows the browsers that have signed in. */
interface Recognises {
  byKey(key: string): Known | undefined
}

interface Known {
  readonly id: string
  readonly name: string
}

/** No browser finds its way here: there is no page, and a browser's key opens nothing. */
export function unixDoor(token: string): Door {
  const addresses = [{ host: 'vigil', origin: null }]
  return {
    transport: 'unix',
    addresses: () => addresses,
    tokenHash: hashOf(token),
    browsers: undefined,
    page: undefined,
  }
}

export interface Visitors {
  readonly browsers?: Recognises | undefined
  readonly page?: Page | undefined
  /** SPEC DR11. Where its user said the daemon may be reached from elsewhere. */
  readonly shared?: (() => readonly Address[]) | undefined
}

export function tcpDoor(port: number, token: string, visitors: Visitors = {}): Door {
  const { browsers, page, shared = () => [] } = visitors
  const own = [`127.0.0.1:${port}`, `localhost:${port}`].map((host) => ({
    host,
    origin: `http://${host}`,
  }))
  return {
    transport: 'tcp',
    addresses: () => [...own, ...shared()],
    tokenHash: hashOf(token),
    browsers,
    page,
  }
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
