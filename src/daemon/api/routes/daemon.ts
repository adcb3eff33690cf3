import type { Desk } from '../desk.ts'
import { type Route, route } from '../route.ts'
import * as schemas from '../schemas.ts'

export function daemonRoutes({ fleet, gate, subscribers }: Desk): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/health',
      summary: 'How the daemon itself is doing.',
      answer: schemas.health,
      handle: () => ({
        ...fleet.health(),
        subscribers: subscribers.count,
        refused: gate.refused(),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/metrics',
      summary: 'The same in figures, for Prometheus.',
      answer: 'text/plain',
      handle: ({ context }) =>
        context.body(fleet.metrics() + figures(gate.refused(), subscribers), 200, {
          'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        }),
    }),
    route({
      method: 'post',
      path: '/v1/stop',
      summary: 'Ends the daemon once this is answered.',
      who: 'token',
      body: schemas.stopping,
      answer: schemas.stopped,
      handle: ({ body, context }) => {
        const stop = () => fleet.stop(body.why)
        // Emitted when the answer is out, and also when nobody is left to take it.
        if (context.env?.outgoing) context.env.outgoing.once('close', stop)
        else setImmediate(stop)
        return { stopping: true as const }
      },
    }),
  ]
}

/** Reasons are words of our own, so no label needs escaping. */
function figures(
  refused: Readonly<Record<string, number>>,
  { count, dropped }: Desk['subscribers'],
): string {
  return [
    '# TYPE vigil_api_subscribers gauge',
    `vigil_api_subscribers ${count}`,
    '# TYPE vigil_api_subscribers_dropped_total counter',
    `vigil_api_subscribers_dropped_total ${dropped}`,
    '# TYPE vigil_api_refused_total counter',
    ...Object.entries(refused).map(
      ([reason, times]) => `vigil_api_refused_total{reason="${reason}"} ${times}`,
    ),
    '',
  ].join('\n')
}
