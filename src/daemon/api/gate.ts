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

const WORDS: Readonly<Record<Refusal, string>> = {
  upgrade: 'Upgrade: this server does not upgrade connections',
  host: 'Host: expected exactly the address of this server',
  origin: 'Origin: requests from other origins are refused',
  site: 'Sec-Fetch-Site: requests from other sites are refused; type the address yourself',
  method: 'method: expected GET, HEAD, POST or DELETE',
  target: 'path: expected an absolute path without dot segments',
  body: 'body: POST and DELETE need a body of known length, or chunked; others take none',
  media: 'Content-Type: POST and DELETE need application/json',
  header: 'x-vigil: POST and DELETE need this header with the value 1',
  query: 'query: looks like it contains a secret; send the token as Authorization: Bearer',
  token: 'Authorization: expected "Bearer" and the token, or the key of a signed-in browser',
  user: 'this connection belongs to another user; only the daemon’s user and root may connect',
  malformed: 'the request is not well-formed HTTP',
  headers: 'headers: larger than this server accepts',
  slow: 'the request did not arrive in time',
  size: 'body: larger than this route accepts',
  who: 'this caller may not use this route',
  code: 'code: wrong, used already or expired; run `vigil open` for a new one',
  subscribers: 'too many subscribers; try again later',
}
