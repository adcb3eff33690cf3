import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { signChallenge, signPublicOf } from '../keys.ts'
import { TransportError } from '../transport.ts'
import { connectFault } from './faults.ts'
import { serverFault } from './server-fault.ts'
import { serverPlace } from './server-url.ts'

/** How a machine logs in: its own key, a file of credentials, or an invite. */
export type NatsLogin =
  /** The text of the seed, `SU…`, as bytes. */
  | { readonly seed: Uint8Array }
  /** The text of a credentials file. */
  | { readonly creds: string }
  | { readonly user: string; readonly password: string }

export interface NatsAddress {
  readonly urls: readonly string[]
  readonly login: NatsLogin
  /**
   * With `ca` nothing is sent without TLS. Undefined: TLS where an address asks for it, with what
   * this system trusts, or where the server demands it.
   */
  readonly tls?: { readonly ca: string } | undefined
  readonly allowOldServer?: boolean | undefined
  /** What to say where the server does not accept the login. */
  readonly rejected?: string | undefined
}

const CONNECT_MAX_MS = 5_000

/** After two pings without a reply, at the third, the server counts as gone: within 6 s. */
const PING_EVERY_MS = 2_000
const PINGS_OUT_MAX = 2

/** SPEC FL60, FL61. One connection, which is not renewed by itself; throws a `TransportError`. */
export async function connectOnce(to: NatsAddress, inbox: string): Promise<NatsConnection> {
  const nats = await dial(to, inbox)
  const fault = serverFault(nats.info?.version ?? 'unknown')
  const why =
    fault !== undefined && to.allowOldServer !== true
      ? fault
      : nats.info?.jetstream !== true
        ? 'This server runs without JetStream, which holds the rows: start it with JetStream.'
        : undefined
  if (why === undefined) return nats
  await nats.close()
  throw new TransportError('refused', why)
}

async function dial(
  { urls, login, tls, rejected }: NatsAddress,
  inbox: string,
): Promise<NatsConnection> {
  try {
    return await connect({
      servers: [...urls],
      noRandomize: true,
      authenticator: authenticatorOf(login),
      ...(tls || urls.some(asksForTls) ? { tls: tlsOptions(tls, urls) } : {}),
      inboxPrefix: inbox,
      timeout: CONNECT_MAX_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: PINGS_OUT_MAX,
      // nats.js would hold messages back until it is connected again: old by then, and repeated.
      reconnect: false,
      noAsyncTraces: true,
    })
  } catch (error) {
    throw connectFault(error, urls, rejected)
  }
}

/**
 * SPEC FL185. nats.js reads no scheme: it would send all of it plainly to a server that offers no
 * TLS, or to anything between that says so in the server's name.
 */
function asksForTls(url: string): boolean {
  return /^tls:/i.test(url)
}

/** nats.js would look for `localhost` in the certificate of a server that has only an address. */
function tlsOptions(trusted: { readonly ca: string } | undefined, urls: readonly string[]) {
  const hosts = urls.map((url) => serverPlace(url).host)
  return {
    ...trusted,
    checkServerIdentity: (_: string, found: PeerCertificate) => {
      const faults = hosts.map((host) => checkServerIdentity(host, found))
      return faults.includes(undefined) ? undefined : faults[0]
    },
  }
}

/**
 * The addresses, first the one that last answered: an address that is silent costs seconds. Until
 * one has answered, in any order, so that machines spread over the servers of a cluster.
 */
export function inTurn(urls: readonly string[], answered: string | undefined): readonly string[] {
  const rank = (url: string) => {
    const { host, port } = serverPlace(url)
    const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
    return place === answered ? -1 : Math.random()
  }
  const ranked = urls.map((url) => ({ url, rank: rank(url) }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ url }) => url)
}

function authenticatorOf(login: NatsLogin) {
  if ('seed' in login) return keyAuthenticator(new TextDecoder().decode(login.seed))
  if ('creds' in login) return credsAuthenticator(new TextEncoder().encode(login.creds))
  return usernamePasswordAuthenticator(login.user, login.password)
}

/** The library signs in JavaScript, which costs 10 MB of memory for one login. */
function keyAuthenticator(seed: string): Authenticator {
  const nkey = signPublicOf(seed)
  if (nkey === undefined) throw new TypeError('expected the seed of a machine')
  return (nonce = '') => ({
    nkey,
    sig: nonce === '' ? '' : signChallenge(seed, nonce).toString('base64'),
  })
}
