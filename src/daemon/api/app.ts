import type { z } from 'zod'
import { openapi } from '../../protocol/daemon.ts'
import * as parameters from '../../protocol/parameters.ts'
import type { Complain } from '../../sources/arrival.ts'
import { Browsers } from '../browsers/browsers.ts'
import { OpenResponses } from '../browsers/open-responses.ts'
import type { DaemonApi } from '../daemon-api.ts'
import { badField, badInput } from '../problem.ts'
import { mayCall, refusalOf } from './access.ts'
import { asksForWorker, type Caller, headerOf, type MemberCaller, targetPath } from './admit.ts'
import { BODY_MAX_BYTES, readJson } from './body.ts'
import { forwardedOf, localAnswer, machineOf, type ReadRequest } from './elsewhere.ts'
import { type Endpoint, requestAddress } from './endpoint.ts'
import { type EventOptions, Subscribers } from './event-stream.ts'
import { Gate } from './gate.ts'
import { openApiOf } from './openapi.ts'
import { denied, failure, json } from './outcome.ts'
import {
  type ApiRequest,
  type ApiResponse,
  type Exchange,
  goneOf,
  type OwnAnswer,
  paramsIn,
  type Route,
  route,
} from './route.ts'
import type { RouteContext } from './route-context.ts'
import { browserRoutes } from './routes/browsers.ts'
import { daemonRoutes } from './routes/daemon.ts'
import { eventRoutes } from './routes/events.ts'
import { fleetRoutes } from './routes/fleet.ts'
import { insightRoutes } from './routes/insight.ts'
import { loopRoutes } from './routes/loops.ts'
import { paneRoutes } from './routes/panes.ts'
import { reportRoutes } from './routes/reports.ts'
import { requestRoutes } from './routes/requests.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { WORKER } from './worker.ts'

/** Apps of several endpoints share these: their counts are the daemon's. */
export interface AppOptions extends Partial<Omit<RouteContext, 'api'>> {
  readonly complain?: Complain
  readonly events?: Partial<EventOptions>
}

/**
 * Never rejects: an error is a response. A `member` is another machine with a checked signature;
 * every other caller is admitted here.
 */
type Api = (request: ApiRequest, member?: MemberCaller) => Promise<ApiResponse>

/** The API behind one endpoint. */
export function createApp(api: DaemonApi, endpoint: Endpoint, options: AppOptions = {}): Api {
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
  const routes = routesOf(shared, endpoint)
  return async (request, member) => {
    const headers = { ...HEADERS }
    try {
      const exchange = { request, headers }
      if (member) return await dispatch(exchange, member, routes, shared, endpoint)
      return await respond(exchange, routes, shared, endpoint)
    } catch (error) {
      return failure(error, headers, (why) => {
        complain('request failure', { method: request.method, error: why })
      })
    }
  }
}

async function respond(
  { request, headers }: Exchange,
  routes: readonly Route[],
  shared: RouteContext,
  endpoint: Endpoint,
): Promise<ApiResponse> {
  // Listeners check too, earlier. Here as well, so that no listener can forget to.
  const admission = shared.gate.check(request, endpoint)
  if (!admission.ok) return denied(headers, admission)
  const { caller } = admission
  receive(request, caller, shared)
  const beside = asksForWorker(request) ? WORKER : pageOf(request, endpoint)
  if (beside) return { ...beside, headers: { ...headers, ...beside.headers } }
  return dispatch({ request, headers }, caller, routes, shared, endpoint)
}

async function dispatch(
  { request, headers }: Exchange,
  caller: Caller,
  routes: readonly Route[],
  shared: RouteContext,
  endpoint: Endpoint,
): Promise<ApiResponse> {
  const segments = targetPath(request.target).split('/').map(decodeURIComponent)
  const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase()
  for (const one of routes) {
    const params = one.method === method ? paramsIn(one, segments) : undefined
    if (params) return serve(one, { params, caller, request, headers }, shared, endpoint)
  }
  return json(headers, 404, { error: UNKNOWN_ROUTE })
}

async function serve(
  one: Route,
  given: Exchange & { readonly params: Readonly<Record<string, string>>; readonly caller: Caller },
  shared: RouteContext,
  endpoint: Endpoint,
): Promise<ApiResponse> {
  const { caller, request, headers } = given
  const { gate } = shared
  if (!mayCall(caller, one)) {
    const denial = gate.refuse('who', 403, endpoint, request.method)
    return denied(headers, { ...denial, error: refusalOf(caller, one) })
  }
  const params = parsed('path', one.params, given.params)
  const query = parsed('query', one.query ?? parameters.none, queryOf(request))
  const max = one.bodyMaxBytes ?? BODY_MAX_BYTES
  const raw = one.body && (await readJson(given, max, gate, endpoint))
  const body = one.body && parsed('body', one.body, raw)
  const read = { raw: { params: given.params, body: raw }, parsed: [params, query, body] }
  const forwarded = await forward(one, given, read, shared)
  if (forwarded) return { ...forwarded, headers: { ...headers, ...forwarded.headers } }
  const answer = await one.handle({ ...given, params, query, body })
  if (typeof one.answer !== 'string') return json(headers, 200, answer)
  const own = answer as OwnAnswer
  return { status: 200, body: own.body, headers: { ...headers, ...own.headers } }
}

/** SPEC FL122. The answer of another machine, if the request is about one of its sessions. */
async function forward(
  one: Route,
  given: Exchange & { readonly caller: Caller },
  read: ReadRequest,
  { api }: RouteContext,
): Promise<ApiResponse | undefined> {
  const machine = machineOf(read.parsed, api.machine)
  // A member's request is for this machine: it is not passed on.
  if (machine === undefined || given.caller.kind === 'member') return undefined
  if (!api.fleet.knows(machine) || one.afar === undefined) return undefined
  const request = forwardedOf(one, given, read, machine)
  const reply = await api.fleet.forward(request, goneOf(given.request))
  return localAnswer(one, reply, { machine, aheadMs: api.fleet.aheadMs(machine) })
}

/** From here on the caller is known and can be disconnected. */
function receive(request: ApiRequest, caller: Caller, { browsers, responses }: RouteContext): void {
  if (caller.kind !== 'browser') return
  browsers.seen(caller.id)
  const { outgoing } = request
  if (!outgoing) return
  responses.add(outgoing, { caller, host: headerOf(request, 'host') ?? '' })
  // A stream may be a page's only request in weeks.
  outgoing.once('close', () => browsers.seen(caller.id))
}

/** The page is beside the routes: what it serves is for people, and has no schema. */
function pageOf(request: ApiRequest, endpoint: Endpoint): ApiResponse | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const { page, home } = endpoint
  const path = targetPath(request.target)
  if (requestAddress(headerOf(request, 'host'), endpoint)?.origin)
    return page?.answer(comesFromElsewhere(request) && path === '/' ? ARRIVE : path, request)
  if (home === undefined || path !== '/') return undefined
  // SPEC OC1. The address changes with each hold of the port: caches must not store it.
  const headers = { 'content-type': 'text/plain;charset=UTF-8', location: `${home}/` }
  return { status: 307, headers, body: `The page is at ${home}/\n` }
}

const ARRIVE = '/arrive.html'

/** SPEC SH13. From the headers that browsers send; without them the caller is no browser. */
function comesFromElsewhere(request: ApiRequest): boolean {
  return !['none', 'same-origin', undefined].includes(headerOf(request, 'sec-fetch-site'))
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
    ...fleetRoutes(shared),
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

function parsed(where: string, schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw badInput(where, input, result.error)
}

/** A parameter given twice is ambiguous; choosing one would be a guess. */
function queryOf({ target }: ApiRequest): Record<string, string> {
  const given = [...new URLSearchParams(target.slice(targetPath(target).length))]
  const query = Object.fromEntries(given)
  if (Object.keys(query).length === given.length) return query
  throw badField('query', 'expected each parameter once', query)
}
