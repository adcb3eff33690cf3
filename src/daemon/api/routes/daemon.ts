import * as schemas from '../../../protocol/daemon.ts'
import { type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { callerName } from './requests.ts'

export function daemonRoutes({ api, gate, subscribers }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/health',
      summary: 'The daemon’s own state.',
      answer: schemas.health,
      handle: () => ({
        ...api.health(),
        subscribers: subscribers.count,
        refused: gate.refused(),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/metrics',
      summary: 'The daemon’s metrics, for Prometheus.',
      answer: 'text/plain',
      handle: () => ({
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        body: api.metrics() + figures(gate.refused(), subscribers),
      }),
    }),
    route({
      method: 'post',
      path: '/v1/stop',
      summary: 'Stops the daemon after this request is answered.',
      // SPEC WD2. Without a daemon nothing is asked or logged: no caller on a port may end it.
      access: 'socket',
      body: schemas.stopping,
      answer: schemas.stopped,
      handle: ({ body, caller, request }) => {
        noteStop(api, callerName(caller), body.why)
        const stop = () => api.stop(body.why)
        // Emitted when the response is sent, and also when the caller has disconnected.
        if (request.outgoing) request.outgoing.once('close', stop)
        else setImmediate(stop)
        return { stopping: true as const }
      },
    }),
  ]
}

/** A daemon with a full disk must still end: only this act may happen without its log entry. */
function noteStop({ acts }: RouteContext['api'], who: string, why: string): void {
  try {
    acts.note({ session: '', what: 'stop', who, where: 'api', words: `stopped the daemon: ${why}` })
  } catch {
    // The log's failure is among the troubles already.
  }
}

/** Reasons are fixed words of vigil, so no label needs escaping. */
function figures(
  refused: Readonly<Record<string, number>>,
  { count, dropped }: RouteContext['subscribers'],
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
