import * as parameters from '../../../protocol/parameters.ts'
import { streamEvent } from '../../../protocol/stream.ts'
import { badField, Problem } from '../../problem.ts'
import { ChangeEvents } from '../change-events.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EventSource } from '../event-stream.ts'
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
        'Streams all sessions, and each session again when it changes, at most ten times a second' +
        '. Continues after the position in Last-Event-ID, if the daemon still has it.',
      also: [503],
      answer: 'text/event-stream',
      events: streamEvent,
      handle: ({ context }) => {
        const source = new RowEvents(api.list, context.req.header('last-event-id'))
        return streamed(context, shared, endpoint, source)
      },
    }),
    route({
      method: 'get',
      path: '/v1/events',
      summary: 'Streams every change. Continues after the id in Last-Event-ID or in "after".',
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

function streamed(
  context: ApiContext,
  { subscribers, gate }: RouteContext,
  endpoint: Endpoint,
  source: EventSource,
): Response {
  // The response to HEAD has no body that could end a subscription.
  if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS)
  const hangUp = () => context.env?.outgoing?.destroy()
  const subscription = subscribers.open(source, hangUp)
  if (!subscription) {
    const { status, error } = gate.refuse('subscribers', 503, endpoint)
    throw new Problem(status, error)
  }
  const { signal } = context.req.raw
  signal.addEventListener('abort', () => subscription.end(), { once: true })
  if (signal.aborted) subscription.end()
  return context.body(subscription.stream, 200, HEADERS)
}

const HEADERS = { 'content-type': 'text/event-stream' }

/** The header wins: a reader that reconnects repeats its original address. */
function lastEventId(context: ApiContext): number | undefined {
  const given = context.req.header('last-event-id')
  if (given === undefined) return undefined
  const parsed = parameters.resumption.safeParse({ after: given })
  if (parsed.success) return parsed.data.after
  throw badField('Last-Event-ID', 'expected the id of an event', given)
}
