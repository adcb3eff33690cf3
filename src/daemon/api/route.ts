import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { InputOf } from '../../protocol/schema.ts'
import type { RequiredAccess } from './access.ts'
import type { Caller } from './admit.ts'

/** Without a socket (tests) there are no bindings. */
export interface ApiEnv {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: { caller: Caller }
}
export type ApiContext = Context<ApiEnv>

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

export interface RouteInput<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly context: ApiContext
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** What a handler returns is sent as JSON, unless it makes the response itself. */
type Returned<A> = A extends z.ZodType
  ? InputOf<A> | Promise<InputOf<A>>
  : Response | Promise<Response>

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

/** Aborts when the caller has disconnected: nothing may be decided then. */
export function goneOf(context: ApiContext): AbortSignal {
  const gone = new AbortController()
  const outgoing = context.env?.outgoing
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  return gone.signal
}
