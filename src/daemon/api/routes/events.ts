import * as parameters from '../../../protocol/parameters.ts'
import { streamEvent } from '../../../protocol/stream.ts'
import { badField, Problem } from '../../problem.ts'
import { headerOf } from '../admit.ts'
import { ChangeEvents } from '../change-events.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EventSource } from '../event-stream.ts'
import { type ApiRequest, type OwnAnswer, type Route, route } from '../route.ts'
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
      handle: ({ request }) => {
        const source = new RowEvents(api.list, headerOf(request, 'last-event-id'))
        return streamed(request, shared, endpoint, source)
      },
    }),
    route({
      method: 'get',
      path: '/v1/events',
      summary: 'Streams every change. Continues after the id in Last-Event-ID or in "after".',
      query: parameters.resumption,
      also: [503],
      answer: 'text/event-stream',
      handle: ({ query, request }) => {
        const after = lastEventId(request) ?? query.after
        return streamed(request, shared, endpoint, new ChangeEvents(api, after))
      },
    }),
  ]
}

function streamed(
  { method, outgoing }: ApiRequest,
  { subscribers, gate }: RouteContext,
  endpoint: Endpoint,
  source: EventSource,
): OwnAnswer {
  // The response to HEAD has no body that could end a subscription.
  if (method === 'HEAD') return { headers: EVENT_HEADERS, body: null }
  const body = subscribers.open(source, () => outgoing?.destroy())
  if (body) return { headers: EVENT_HEADERS, body }
  const { status, error } = gate.refuse('subscribers', 503, endpoint)
  throw new Problem(status, error)
}

export const EVENT_HEADERS = { 'content-type': 'text/event-stream' }

/** The header wins: a reader that reconnects repeats its original address. */
function lastEventId(request: ApiRequest): number | undefined {
  const given = headerOf(request, 'last-event-id')
  if (given === undefined) return undefined
  const parsed = parameters.resumption.safeParse({ after: given })
  if (parsed.success) return parsed.data.after
  throw badField('Last-Event-ID', 'expected the id of an event', given)
}
