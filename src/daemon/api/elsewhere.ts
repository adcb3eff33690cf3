import type { z } from 'zod'
import { parseJson } from '../../core/json.ts'
import { lenient } from '../../fleet/lenient.ts'
import { readAddress, type SessionName } from '../../protocol/address.ts'
import { changeMarked } from '../../protocol/marked.ts'
import { Problem } from '../problem.ts'
import { targetPath } from './admit.ts'
import { json } from './outcome.ts'
import type { ApiResponse, Exchange, Route } from './route.ts'

/** A request for another machine, as that machine's own API has it. */
export interface ForwardedRequest {
  readonly machine: string
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly body?: unknown
  readonly stream: boolean
}

/** The values of a request, before and after their schemas read them. */
export interface ReadRequest {
  readonly raw: { readonly params: Readonly<Record<string, string>>; readonly body: unknown }
  readonly parsed: readonly unknown[]
}

/** SPEC FL122. The machine that a request names in its path, its query or its body. */
export function machineOf(parsed: readonly unknown[], own: string): string | undefined {
  for (const values of parsed)
    for (const [key, value] of Object.entries((values ?? {}) as Record<string, unknown>)) {
      const machine = isSessionName(value) ? value.machine : key === 'machine' ? value : undefined
      if (typeof machine === 'string' && machine !== own) return machine
    }
  return undefined
}

function isSessionName(value: unknown): value is SessionName {
  return typeof value === 'object' && value !== null && 'machine' in value && 'session' in value
}

/** The same request without the machine's id. */
export function forwardedOf(
  one: Route,
  { request }: Pick<Exchange, 'request'>,
  { raw }: ReadRequest,
  machine: string,
): ForwardedRequest {
  const bare = (text: string) => readAddress(text).session
  const path = one.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(bare(raw.params[name] ?? '')),
  )
  const query = new URLSearchParams(request.target.slice(targetPath(request.target).length))
  const session = query.get('session')
  if (session !== null) query.set('session', bare(session))
  query.delete('machine')
  const target = query.size > 0 ? `${path}?${query}` : path
  const stream = one.answer === 'text/event-stream'
  if (one.method === 'get') return { machine, method: 'GET', target, stream }
  return { machine, method: 'POST', target, body: bareBody(raw.body), stream }
}

function bareBody(body: unknown): unknown {
  const { session } = (body ?? {}) as { session?: unknown }
  if (typeof session !== 'string') return body
  return { ...(body as object), session: readAddress(session).session }
}

/**
 * SPEC FL122, FL132. What the other machine answered, by this machine's clock and with addresses of
 * requests. A member may send anything: what is not as the route answers reaches no reader, and the
 * type of the content is the route's.
 */
export function localAnswer(
  one: Route,
  reply: ApiResponse,
  { machine, aheadMs }: { readonly machine: string; readonly aheadMs: number },
): ApiResponse {
  const { answer } = one
  const { status, body } = reply
  if (status !== 200) return json({}, refusalStatus(status), { error: errorIn(body) })
  if (typeof answer === 'string')
    return { status, body, headers: { 'content-type': `${answer}; charset=utf-8` } }
  const parsed = tolerant(answer).safeParse(parseJson(String(body)))
  if (!parsed.success) throw new Problem(503, UNREADABLE_REPLY)
  const value = changeMarked(answer, parsed.data, {
    time: (at) => at - aheadMs,
    request: (id) => `${machine}/${id}`,
  })
  return json({}, status, value)
}

/**
 * SPEC FL182. Other statuses mean something to this machine's clients alone: by 401 a browser's own
 * key is worthless, after 100 another head follows, 204 has no words.
 */
const REFUSALS = [400, 403, 404, 409, 413, 429, 500, 503]

function refusalStatus(status: number): number {
  return REFUSALS.includes(status) ? status : 503
}

export const UNREADABLE_REPLY = 'its reply is not one of this fleet, or of another version of vigil'
const ERROR_MAX_CHARS = 2_000

function errorIn(body: unknown): string {
  const error = (parseJson(String(body)) as { readonly error?: unknown } | undefined)?.error
  return typeof error === 'string' ? error.slice(0, ERROR_MAX_CHARS) : UNREADABLE_REPLY
}

/** SPEC FL184. */
function tolerant(answer: z.ZodType): z.ZodType {
  const known = tolerantOf.get(answer) ?? lenient(answer)
  tolerantOf.set(answer, known)
  return known
}

const tolerantOf = new WeakMap<z.ZodType, z.ZodType>()
