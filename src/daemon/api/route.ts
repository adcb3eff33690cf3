import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Right } from '../../protocol/constants.ts'
import type { InputOf } from '../../protocol/schema.ts'
import type { RequiredAccess } from './access.ts'
import type { Caller, IncomingRequest } from './admit.ts'
import type { PulledText } from './event-stream.ts'

export interface ApiRequest extends IncomingRequest {
  readonly body: AsyncIterable<Uint8Array>
  /** Without a socket (tests) there is none. */
  readonly outgoing?: ServerResponse | undefined
}

/** SPEC LI8. Plain data: Node's `Response` loads an HTTP client of some 15 MB. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | PulledText | null
}

type Shape = z.ZodObject
type Answer = z.ZodType | 'text/event-stream' | 'text/plain' | 'text/csv'

/** The whole definition of a route. The app and the document are both made from it. */
export interface Route {
  readonly method: 'get' | 'post'
  /** Parameters are in braces, as in the document: `/v1/sessions/{id}`. */
  readonly path: string
  readonly summary: string
  /** SPEC DR4. Accepted callers; by default those with the token or signed in. */
  readonly access?: RequiredAccess
  /** SPEC FL120. The right with which another machine may use it; by default none may. */
  readonly afar?: Right
  readonly params?: Shape
  readonly query?: Shape
  readonly body?: z.ZodType
  readonly bodyMaxBytes?: number
  /** Statuses other than 200 and those of every route (400, 401, …). */
  readonly also?: readonly (404 | 409 | 429 | 503)[]
  readonly answer: Answer
  /** For a stream: the schema of an event's `data`, if it is no change of a session. */
  readonly events?: z.ZodType
  readonly handle: (ask: RouteInput<unknown, unknown, unknown>) => unknown
}

/** A request, and the headers of its response, to which a handler may add. */
export interface Exchange {
  readonly request: ApiRequest
  readonly headers: Record<string, string>
}

export interface RouteInput<Params, Query, Body> extends Exchange {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** What a handler returns is sent as JSON, or as it is where the answer has no schema. */
type Returned<A> = A extends z.ZodType
  ? InputOf<A> | Promise<InputOf<A>>
  : OwnAnswer | Promise<OwnAnswer>

export type OwnAnswer = Omit<ApiResponse, 'status'>

/** Checks a handler's input and result against the schemas beside it. */
export function route<
  const A extends Answer,
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  definition: Omit<Route, 'params' | 'query' | 'body' | 'answer' | 'handle'> & {
    params?: P
    query?: Q
    body?: B
    answer: A
    handle: (ask: RouteInput<Output<P>, Output<Q>, Output<B>>) => Returned<A>
  },
): Route {
  return definition as unknown as Route
}

/** The parameters in decoded segments of a path; undefined if another route has this path. */
export function paramsIn(
  { path }: Route,
  segments: readonly string[],
): Record<string, string> | undefined {
  const parts = path.split('/')
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? ''
    const isParameter = part.startsWith('{')
    if (isParameter ? segment === '' : segment !== part) return undefined
    if (isParameter) params[part.slice(1, -1)] = segment
  }
  return parts.length === segments.length ? params : undefined
}

/** Aborts when the caller has disconnected: nothing may be decided then. */
export function goneOf({ outgoing }: ApiRequest): AbortSignal {
  const gone = new AbortController()
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  return gone.signal
}
