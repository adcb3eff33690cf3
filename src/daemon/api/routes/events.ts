import * as parameters from '../../../protocol/parameters.ts'
import { streamEvent } from '../../../protocol/stream.ts'
import { badField, Problem } from '../../problem.ts'
import type { Caller } from '../admit.ts'
import { ChangeEvents } from '../change-events.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EventSource } from '../event-stream.ts'
import { may } from '../may.ts'
import { type ApiContext, type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { RowEvents } from '../row-events.ts'

export function eventRoutes(shared: RouteContext, endpoint: Endpoint): readonly Route[] {
  const { api } = shared
  return [
    route({
      method: 'get',
      path: '/v1/stream',
      summary:
        'The sessions, and each again when it changes: whole rows, at most ten a second of one' +
        ' session. Goes on after the position given by Last-Event-ID, if that is known.',
      query: parameters.following,
      also: [503],
      answer: 'text/event-stream',
      events: streamEvent,
      handle: ({ query, who, context }) => {
        const source = new RowEvents(api.list, context.req.header('last-event-id'))
        const enter = couldAnswer(who, query.answers) ? () => api.requests.enter() : undefined
        return streamed(context, shared, endpoint, source, enter)
      },
    }),
    route({
      method: 'get',
      path: '/v1/events',
      summary: 'Every change as it happens. Resumes after the id given by Last-Event-ID or after.',
      query: parameters.resumption,
      also: [503],
      answer: 'text/event-stream',
      handle: ({ query, context }) => {
        const after = lastEventId(context) ?? query.after
        return streamed(context, shared, endpoint, new ChangeEvents(api, after))
      },
    }),
  ]
}

/** `enter` is called when the stream begins; what it returns, when the stream has ended. */
function streamed(
  context: ApiContext,
  { subscribers, gate }: RouteContext,
  endpoint: Endpoint,
  source: EventSource,
  enter?: () => () => void,
): Response {
  // The answer to HEAD has no body that could end a subscription.
  if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS)
  const leave = enter?.()
  const hangUp = () => context.env?.outgoing?.destroy()
  const subscription = subscribers.open(source, hangUp, leave)
  if (!subscription) {
    leave?.()
    const { status, error } = gate.refuse('subscribers', 503, endpoint)
    throw new Problem(status, error)
  }
  const { signal } = context.req.raw
  signal.addEventListener('abort', () => subscription.end(), { once: true })
  if (signal.aborted) subscription.end()
  return context.body(subscription.stream, 200, HEADERS)
}

/** SPEC AN12. A browser that signed in always could; others say so. */
function couldAnswer(who: Caller, answers: boolean): boolean {
  return who.kind === 'browser' || (answers && may(who, 'person'))
}

const HEADERS = { 'content-type': 'text/event-stream' }

/** The header wins: a reader that reconnects by itself repeats the address it began with. */
function lastEventId(context: ApiContext): number | undefined {
  const given = context.req.header('last-event-id')
  if (given === undefined) return undefined
  const parsed = parameters.resumption.safeParse({ after: given })
  if (parsed.success) return parsed.data.after
  throw badField('Last-Event-ID', 'expected the id of an event', given)
}
