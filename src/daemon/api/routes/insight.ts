import { Zone } from '../../../insight/calendar.ts'
import { csvOf } from '../../../insight/csv.ts'
import * as schemas from '../../../protocol/insight.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { badField, Problem } from '../../problem.ts'
import { localId } from '../local.ts'
import { type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'

/** A machine of the fleet has the request already: it was passed on. */
function mustBeOwn(own: string, machine: string | undefined): void {
  if (machine === undefined || machine === own) return
  throw new Problem(404, 'machine: no such machine; GET /v1/fleet lists them', 'machine')
}

export function insightRoutes({ api, now }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/insight',
      afar: 'look',
      summary: 'How long agents worked and waited, and what they cost.',
      query: schemas.ofPeriod,
      answer: schemas.insightAnswer,
      also: [404],
      handle: async ({ query }) => {
        mustBeOwn(api.machine, query.machine)
        const figures = await api.insights.of(query.period, zoneOf(query.zone))
        return { machine: api.machine, ...figures }
      },
    }),
    route({
      method: 'get',
      path: '/v1/insight.csv',
      summary: 'One table of these figures, as CSV.',
      query: schemas.ofTable,
      answer: 'text/csv',
      handle: async ({ query }) => {
        const insight = await api.insights.of(query.period, zoneOf(query.zone))
        const name = `vigil-${query.period}-${query.table}.csv`
        const headers = {
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': `attachment; filename="${name}"`,
        }
        return { headers, body: csvOf(insight, query.table) }
      },
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/timeline',
      afar: 'look',
      summary: 'What a session did over time: states, turns, waits, tools and subagents.',
      params: parameters.bySession,
      query: schemas.ofStretch,
      also: [404],
      answer: schemas.timelineAnswer,
      handle: async ({ params, query }) => {
        const session = api.session(localId(api, params.id))
        if (!session)
          throw new Problem(404, 'id: no such session; GET /v1/sessions lists them', 'id')
        const { from, to = now() } = query
        if (from !== undefined && from >= to)
          throw badField('query.to', `expected a time later than from (${from})`, to)
        const timeline = await api.insights.timeline(session.id, { from, to })
        return { machine: api.machine, ...timeline }
      },
    }),
  ]
}

/** A zone takes longer to create than to use; more zones than this are not in use at once. */
const ZONES_MAX = 8
const zones = new Map<string, Zone>()

/** The schema has validated the zone. */
function zoneOf(name = Intl.DateTimeFormat().resolvedOptions().timeZone): Zone {
  const zone = zones.get(name) ?? new Zone(name)
  zones.delete(name)
  zones.set(name, zone)
  for (const [oldest] of zones) if (zones.size > ZONES_MAX) zones.delete(oldest)
  return zone
}
