import type { SessionName } from '../../../protocol/address.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { reportPage } from '../../../protocol/report.ts'
import { nothing } from '../../../protocol/schema.ts'
import type { Session } from '../../../protocol/session.ts'
import * as schemas from '../../../protocol/session.ts'
import { talkOf } from '../../talk.ts'
import type { Desk } from '../desk.ts'
import { localId } from '../local.ts'
import { Problem } from '../problem.ts'
import { type Route, route } from '../route.ts'
import { pageOf } from './reports.ts'

export function sessionRoutes(desk: Desk): readonly Route[] {
  const known = (name: SessionName) => desk.fleet.session(localId(desk.fleet, name)) ?? missing()
  return [...verdicts(desk, known), ...dealings(desk, known)]
}

type Known = (name: SessionName) => Session

/** What they are, and why. */
function verdicts({ fleet }: Desk, known: Known): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sessions',
      summary: 'The sessions and what they are doing.',
      query: parameters.allOrOpen,
      answer: schemas.listing,
      handle: ({ query }) => fleet.sessions(query),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}',
      summary: 'One session.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.session,
      handle: ({ params }) => known(params.id),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/history',
      summary: 'Its verdicts, the newest first.',
      params: parameters.bySession,
      query: parameters.pageOfHistory,
      also: [404],
      answer: schemas.history,
      handle: ({ params, query }) => {
        const { id } = known(params.id)
        return { machine: fleet.machine, history: fleet.history(id, query.limit) }
      },
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/reports',
      summary: 'What was seen of it, raw, the oldest first.',
      params: parameters.bySession,
      query: parameters.pageOfReports,
      also: [404],
      answer: reportPage,
      handle: ({ params, query }) => pageOf(fleet, query, known(params.id).id),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/explain',
      summary: 'Why its verdict is what it is, and what would change it.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.explanation,
      handle: ({ params }) => fleet.explain(localId(fleet, params.id)) ?? missing(),
    }),
  ]
}

/** What they say to their user, and what that has seen. */
function dealings({ fleet, now }: Desk, known: Known): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sessions/{id}/talk',
      summary: 'What it said last, and the call it asks about, from its transcript.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.talk,
      handle: async ({ params }) => (await talkOf(known(params.id))) ?? NOTHING_SAID,
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/look',
      summary: 'Its user has looked at it: it is unread no more.',
      params: parameters.bySession,
      body: nothing,
      also: [404],
      answer: schemas.looked,
      handle: async ({ params }) => {
        const { id: session, agent } = known(params.id)
        await fleet.post({ t: now(), source: 'keystroke', agent, session, what: 'look' })
        return { looked: true as const }
      },
    }),
  ]
}

const NOTHING_SAID = { said: [], call: null }

function missing(): never {
  throw new Problem(404, 'id: no such session; GET /v1/sessions lists them', 'id')
}
