import type { IncomingMessage } from 'node:http'
import type { Complain } from '../../sources/arrival.ts'
import { admit, type Caller, type IncomingRequest, type Reason } from './admit.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * Besides what `admit` refuses: connections of other users, malformed requests, excess, routes not
 * open to the caller, and invalid sign-in codes.
 */
export type Refusal =
  | Reason
  | 'user'
  | 'malformed'
  | 'headers'
  | 'slow'
  | 'size'
  | 'subscribers'
  | 'who'
  | 'code'

export interface Denial {
  readonly ok: false
  readonly status: number
  readonly reason: Refusal
  readonly error: string
}

/** Enough to see an attack in the log; a flood of requests must not become a flood of lines. */
const COMPLAINTS_PER_SECOND_MAX = 5

/** Calls `admit` and counts refusals. One for all endpoints. */
export class Gate {
  readonly #complain: Complain
  readonly #now: () => number
  readonly #refused = new Map<Refusal, number>()
  #second = 0
  #complaints = 0
  #unsaid = 0

  constructor(complain: Complain = () => {}, now: () => number = Date.now) {
    this.#complain = complain
    this.#now = now
  }

  /** The caller, or why it is refused. */
  check(
    incoming: IncomingRequest,
    endpoint: Endpoint,
  ): { readonly ok: true; readonly caller: Caller } | Denial {
    const admission = admit(incoming, endpoint)
    if (admission.ok) return admission
    return this.refuse(admission.reason, admission.status, endpoint, incoming.method)
  }

  /** Neither the log nor the response repeats the input: it may hold a token. */
  refuse(reason: Refusal, status: number, endpoint: Endpoint, method?: string): Denial {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1)
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) [this.#second, this.#complaints] = [second, 0]
    this.#complaints += 1
    if (this.#complaints > COMPLAINTS_PER_SECOND_MAX) this.#unsaid += 1
    else this.#say(reason, endpoint, method)
    return { ok: false, status, reason, error: WORDS[reason] }
  }

  refused(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refused)
  }

  #say(reason: Refusal, { transport }: Endpoint, method = ''): void {
    const more = this.#unsaid > 0 ? { unsaid: this.#unsaid } : {}
    this.#unsaid = 0
    // The caller chooses the method freely, at any length.
    this.#complain('request refused', { reason, transport, method: method.slice(0, 10), ...more })
  }
}

export function incomingOf(incoming: IncomingMessage): IncomingRequest {
  return {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: incoming.headersDistinct,
  }
}

/** For requests without a socket. Headers sent twice are joined there, and match nothing. */
export function incomingOfRequest(request: Request): IncomingRequest {
  const { pathname, search } = new URL(request.url)
  const headers = Object.fromEntries([...request.headers].map(([name, value]) => [name, [value]]))
  return { method: request.method, target: pathname + search, headers }
}

const WORDS: Readonly<Record<Refusal, string>> = {
  upgrade: 'this server upgrades no connection',
  host: 'Host: expected exactly the address of this server',
  origin: 'Origin: pages of other origins are not admitted',
  site: 'Sec-Fetch-Site: a page of another site asked; open this address by hand',
  method: 'method: expected GET, HEAD, POST or DELETE',
  target: 'path: expected an absolute path without dot segments',
  body: 'body: a change needs one of known length or chunked, anything else none',
  media: 'Content-Type: a change must be application/json',
  header: 'x-vigil: a change must carry this header with the value 1',
  query: 'query: holds what looks like a secret; send the token as Authorization: Bearer',
  token: 'Authorization: expected Bearer and the token, or the key of a signed-in browser',
  user: 'this connection is not one of the daemon’s own user or root',
  malformed: 'this is no well-formed HTTP request',
  headers: 'headers: larger than this server takes',
  slow: 'the request did not arrive in time',
  size: 'body: larger than this route takes',
  who: 'this is not for who asks',
  code: 'code: wrong, used or too old; run `vigil open` for another',
  subscribers: 'there are too many subscribers; try again later',
}
