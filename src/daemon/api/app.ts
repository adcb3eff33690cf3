import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { openapi } from '../../protocol/daemon.ts'
import * as parameters from '../../protocol/parameters.ts'
import type { Complain } from '../../sources/arrival.ts'
import { StoreError } from '../../store/errors.ts'
import { Browsers } from '../browsers/browsers.ts'
import { OpenResponses } from '../browsers/open-responses.ts'
import type { DaemonApi } from '../daemon-api.ts'
import { badField, badInput, Problem } from '../problem.ts'
import { FOR, mayCall } from './access.ts'
import { asksForWorker, type Caller } from './admit.ts'
import { BODY_MAX_BYTES, readJson } from './body.ts'
import { type Endpoint, requestAddress } from './endpoint.ts'
import { type EventOptions, Subscribers } from './event-stream.ts'
import { type Denial, Gate, incomingOf, incomingOfRequest } from './gate.ts'
import { openApiOf } from './openapi.ts'
import { type ApiContext, type ApiEnv, type Route, route } from './route.ts'
import type { RouteContext } from './route-context.ts'
import { browserRoutes } from './routes/browsers.ts'
import { daemonRoutes } from './routes/daemon.ts'
import { eventRoutes } from './routes/events.ts'
import { insightRoutes } from './routes/insight.ts'
import { loopRoutes } from './routes/loops.ts'
import { paneRoutes } from './routes/panes.ts'
import { reportRoutes } from './routes/reports.ts'
import { requestRoutes } from './routes/requests.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { workerAnswer } from './worker.ts'

/** Apps of several endpoints share these: their counts are the daemon's. */
export interface AppOptions extends Partial<Omit<RouteContext, 'api'>> {
  readonly complain?: Complain
  readonly events?: Partial<EventOptions>
}

type App = Hono<ApiEnv>

/** The API behind one endpoint. */
export function createApp(api: DaemonApi, endpoint: Endpoint, options: AppOptions = {}): App {
  const { complain = () => {}, now = Date.now } = options
  const shared: RouteContext = {
    api,
    now,
    logWaitMaxMs: options.logWaitMaxMs ?? LOG_WAIT_MAX_MS,
    gate: options.gate ?? new Gate(complain, now),
    subscribers: options.subscribers ?? new Subscribers(options.events),
    browsers: options.browsers ?? new Browsers({ now, complain }),
    responses: options.responses ?? new OpenResponses(),
    page: options.page,
    origins: options.origins ?? (() => []),
    codeFiles: options.codeFiles,
    tunnels: options.tunnels,
  }
  const app: App = new Hono()
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
    // Listeners check too, earlier. Here as well, so that no listener can forget to.
    const message = context.env?.incoming
    const incoming = message ? incomingOf(message) : incomingOfRequest(context.req.raw)
    const admission = shared.gate.check(incoming, endpoint)
    if (!admission.ok) return denied(context, admission)
    receive(context, admission.caller, shared)
    if (asksForWorker(incoming)) return dressed(workerAnswer())
    return pageOf(context, endpoint) ?? next()
  })
  for (const one of routesOf(shared, endpoint)) serve(app, one, shared, endpoint)
  app.notFound((context) => context.json({ error: UNKNOWN_ROUTE }, 404))
  app.onError((error, context) => {
    if (error instanceof Problem) {
      const field = error.field === undefined ? {} : { field: error.field }
      return context.json({ error: error.message, ...field }, error.status as ContentfulStatusCode)
    }
    if (error instanceof StoreError)
      return context.json({ error: `the log could not be written: ${error.message}` }, 503)
    complain('request failed', { method: context.req.method, error: error.stack })
    return context.json(
      { error: 'the daemon failed to answer. Its log, vigil.log, has the error' },
      500,
    )
  })
  return app
}

/** From here on the caller is known and can be disconnected. */
function receive(context: ApiContext, caller: Caller, { browsers, responses }: RouteContext): void {
  context.set('caller', caller)
  if (caller.kind !== 'browser') return
  browsers.seen(caller.id)
  const outgoing = context.env?.outgoing
  if (!outgoing) return
  responses.add(outgoing, { caller, host: context.req.header('host') ?? '' })
  // A stream may be a page's only request in weeks.
  outgoing.once('close', () => browsers.seen(caller.id))
}

function denied(context: ApiContext, { status, error, reason }: Denial): Response {
  return context.json({ error, reason }, status as ContentfulStatusCode)
}

/** The page is beside the routes: what it serves is for people, and has no schema. */
function pageOf({ req }: ApiContext, endpoint: Endpoint): Response | undefined {
  if (req.method !== 'GET' && req.method !== 'HEAD') return undefined
  const { page, home } = endpoint
  if (requestAddress(req.header('host'), endpoint)?.origin) {
    const path = comesFromElsewhere(req.raw.headers) && req.path === '/' ? ARRIVE : req.path
    const answer = page?.answer(path, req.raw.headers)
    return answer && dressed(answer)
  }
  if (home === undefined || req.path !== '/') return undefined
  // SPEC OC1. The address changes with each hold of the port: caches must not store it.
  const elsewhere = new Response(`The page is at ${home}/\n`, { status: 307 })
  elsewhere.headers.set('location', `${home}/`)
  return dressed(elsewhere)
}

function dressed(answer: Response): Response {
  for (const [name, value] of Object.entries(HEADERS))
    if (!answer.headers.has(name)) answer.headers.set(name, value)
  return answer
}

const ARRIVE = '/arrive.html'

/** SPEC SH13. From the headers that browsers send; without them the caller is no browser. */
function comesFromElsewhere(headers: Headers): boolean {
  return !['none', 'same-origin', null].includes(headers.get('sec-fetch-site'))
}

/** Shorter than the client's timeout, so that it receives the reason. */
const LOG_WAIT_MAX_MS = 5_000

const UNKNOWN_ROUTE = 'no such route; GET /v1/openapi.json lists all routes'

/** Responses are the user's secrets: no cache, no frame, no sniffing, no other page. */
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** All routes, including the one that describes them. */
export function routesOf(shared: RouteContext, endpoint: Endpoint): readonly Route[] {
  const routes: Route[] = [
    ...sessionRoutes(shared),
    ...insightRoutes(shared),
    ...reportRoutes(shared),
    ...loopRoutes(shared),
    ...paneRoutes(shared),
    ...requestRoutes(shared),
    ...browserRoutes(shared, endpoint),
    ...daemonRoutes(shared),
    ...eventRoutes(shared, endpoint),
    route({
      method: 'get',
      path: '/v1/openapi.json',
      summary: 'This description of the API.',
      answer: openapi,
      handle: () => openApiOf(routes, shared.api.health().version),
    }),
  ]
  return routes
}

function serve(app: App, one: Route, { gate }: RouteContext, endpoint: Endpoint): void {
  app.on(one.method, one.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
    const caller = context.get('caller')
    if (!mayCall(caller, one.access)) {
      const denial = gate.refuse('who', 403, endpoint, context.req.method)
      return denied(context, { ...denial, error: FOR[one.access ?? 'person'] })
    }
    const params = parsed('path', one.params, context.req.param())
    const query = parsed('query', one.query ?? parameters.none, queryOf(context))
    const max = one.bodyMaxBytes ?? BODY_MAX_BYTES
    const body = one.body && parsed('body', one.body, await readJson(context, max, gate, endpoint))
    const answer = await one.handle({ params, query, body, caller, context })
    return answer instanceof Response ? answer : context.json(answer as object)
  })
}

function parsed(where: string, schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw badInput(where, input, result.error)
}

/** A parameter given twice is ambiguous; choosing one would be a guess. */
function queryOf(context: ApiContext): Record<string, string> {
  const given = [...new URL(context.req.url).searchParams]
  const query = Object.fromEntries(given)
  if (Object.keys(query).length === given.length) return query
  throw badField('query', 'expected each parameter once', context.req.queries())
}
