import type { EventEmitter } from 'node:events'
import { expect } from 'vitest'
import { type AppOptions, createApp, routesOf } from '../../src/daemon/api/app.ts'
import { type Endpoint, tcpEndpoint, unixEndpoint } from '../../src/daemon/api/endpoint.ts'
import { Subscribers } from '../../src/daemon/api/event-stream.ts'
import { Gate } from '../../src/daemon/api/gate.ts'
import type { Route } from '../../src/daemon/api/route.ts'
import { Browsers } from '../../src/daemon/browsers/browsers.ts'
import { OpenResponses } from '../../src/daemon/browsers/open-responses.ts'
import { problem } from '../../src/protocol/daemon.ts'
import { inProcess } from './in-process.ts'
import type { MemoryApi } from './memory-fleet.ts'
import { seenFleet } from './support.ts'

const TOKEN = '5'.repeat(64)
export const ENDPOINT = tcpEndpoint(4711, TOKEN)
export const SOCKET = unixEndpoint(TOKEN)

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about.
  readonly json: any
}

/** The app without a socket. Every answer is held against the schema of its route. */
export function testApi(
  fleet: MemoryApi = seenFleet(),
  options: AppOptions = {},
  endpoint: Endpoint = ENDPOINT,
) {
  const host = endpoint === ENDPOINT ? 'localhost:4711' : 'vigil'
  const now = () => fleet.now
  const gate = new Gate()
  const subscribers = new Subscribers()
  const [browsers, responses] = [new Browsers({ now }), new OpenResponses()]
  const app = createApp(fleet, endpoint, {
    now,
    gate,
    subscribers,
    browsers,
    responses,
    ...options,
  })
  const none = { page: undefined, codeFiles: undefined, tunnels: undefined, origins: () => [] }
  const shared = { api: fleet, gate, subscribers, browsers, responses, now, ...none }
  const routes = routesOf({ ...shared, logWaitMaxMs: 0 }, endpoint)
  const ask = async (method: string, target: string, body?: unknown, outgoing?: EventEmitter) => {
    const bytes = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const change = bytes !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(bytes)),
      'x-vigil': '1',
    }
    const headers = { host, authorization: `Bearer ${TOKEN}`, ...change }
    const response = await inProcess(app, target, { method, headers, body: bytes }, outgoing)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const json = isJson && text !== '' ? JSON.parse(text) : undefined
    if (method !== 'HEAD') matches(routes, method, target, response.status, json)
    return { status: response.status, headers: response.headers, text, json } as Answered
  }
  return {
    app,
    fleet,
    gate,
    routes,
    get: (target: string) => ask('GET', target),
    head: (target: string) => ask('HEAD', target),
    post: (target: string, body: unknown, outgoing?: EventEmitter) =>
      ask('POST', target, body, outgoing),
  }
}

function matches(
  routes: readonly Route[],
  method: string,
  target: string,
  status: number,
  json: unknown,
): void {
  if (status !== 200) return void expect(problem.safeParse(json).error).toBe(undefined)
  const path = target.split('?')[0] ?? ''
  const route = routes.find(
    (one) => one.method === method.toLowerCase() && patternOf(one.path).test(path),
  )
  expect(route, `${method} ${path} is answered by a route of the table`).toBeDefined()
  if (route && typeof route.answer !== 'string')
    expect(route.answer.safeParse(json).error?.issues).toBe(undefined)
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
