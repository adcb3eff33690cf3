import * as parameters from '../../../protocol/parameters.ts'
import type { Who } from '../admit.ts'
import type { Desk } from '../desk.ts'
import type { Door } from '../door.ts'
import { may } from '../may.ts'
import { badField, Problem } from '../problem.ts'
import { type ApiContext, type Route, route } from '../route.ts'

export function eventRoutes({ fleet, subscribers, gate }: Desk, door: Door): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/events',
      summary: 'Every change as it happens. Resumes after the id given by Last-Event-ID or after.',
      query: parameters.resumption,
      also: [503],
      answer: 'text/event-stream',
      handle: ({ query, who, context }) => {
        const after = lastEventId(context) ?? query.after
        // The answer to HEAD has no body that could end a subscription.
        if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS)
        const leave = couldAnswer(who, query.answers) ? fleet.requests.enter() : undefined
        const hangUp = () => context.env?.outgoing?.destroy()
        const subscription = subscribers.open(after, hangUp, leave)
        if (!subscription) {
          leave?.()
          const { status, error } = gate.refuse('subscribers', 503, door)
          throw new Problem(status, error)
        }
        const { signal } = context.req.raw
        signal.addEventListener('abort', () => subscription.end(), { once: true })
        if (signal.aborted) subscription.end()
        return context.body(subscription.stream, 200, HEADERS)
      },
    }),
  ]
}

/** SPEC AN12. A browser that signed in always could; of others it is said. */
function couldAnswer(who: Who, answers: boolean): boolean {
  return who.kind === 'browser' || (answers && may(who, 'person'))
}

const HEADERS = { 'content-type': 'text/event-stream' }

/** The header wins: who reconnects by itself repeats the address it began with. */
function lastEventId(context: ApiContext): number | undefined {
  const given = context.req.header('last-event-id')
  if (given === undefined) return undefined
  const parsed = parameters.resumption.safeParse({ after: given })
  if (parsed.success) return parsed.data.after
  throw badField('Last-Event-ID', 'expected the id of an event', given)
}
