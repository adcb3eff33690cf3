import type { SessionName } from '../../../protocol/address.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { reportPage } from '../../../protocol/report.ts'
import { nothing } from '../../../protocol/schema.ts'
import type { Session } from '../../../protocol/session.ts'
import * as schemas from '../../../protocol/session.ts'
import { Problem } from '../../problem.ts'
import { talkOf } from '../../talk.ts'
import { localId } from '../local.ts'
import { type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { pageOf } from './reports.ts'

export function sessionRoutes(shared: RouteContext): readonly Route[] {
  const known = (name: SessionName) => shared.api.session(localId(shared.api, name)) ?? missing()
  return [...verdicts(shared, known), ...dealings(shared, known)]
}

type Known = (name: SessionName) => Session

/** States and their reasons. */
function verdicts({ api }: RouteContext, known: Known): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sessions',
      afar: 'look',
      summary: 'Lists the sessions and their states.',
      query: parameters.allOrOpen,
      answer: schemas.listing,
      // SPEC FL123. A member asks about this machine alone.
      handle: ({ query, caller }) => {
        const own = api.sessions(query)
        if (caller.kind === 'member') return own
        return { ...own, sessions: [...own.sessions, ...api.fleet.rows()] }
      },
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}',
      afar: 'look',
      summary: 'One session.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.session,
      handle: ({ params }) => known(params.id),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/history',
      afar: 'look',
      summary: 'The states of a session, newest first.',
      params: parameters.bySession,
      query: parameters.pageOfHistory,
      also: [404],
      answer: schemas.history,
      handle: ({ params, query }) => {
        const { id } = known(params.id)
        return { machine: api.machine, history: api.history(id, query.limit) }
      },
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/reports',
      summary: 'The raw reports about a session, oldest first.',
      params: parameters.bySession,
      query: parameters.pageOfReports,
      also: [404],
      answer: reportPage,
      handle: ({ params, query }) => pageOf(api, query, known(params.id).id),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/explain',
      afar: 'look',
      summary: 'Why a session is in its state, and what would change it.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.explanation,
      handle: ({ params }) => api.explain(localId(api, params.id)) ?? missing(),
    }),
  ]
}

/** Messages to the user, and what the user has seen. */
function dealings({ api, now }: RouteContext, known: Known): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sessions/{id}/talk',
      afar: 'look',
      summary: 'The agent’s last message and the tool call it asks about, from the transcript.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.talk,
      handle: async ({ params }) => (await talkOf(known(params.id))) ?? NOTHING_SAID,
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/look',
      afar: 'answer',
      summary: 'Marks a session as read.',
      params: parameters.bySession,
      body: nothing,
      also: [404],
      answer: schemas.looked,
      handle: async ({ params }) => {
        const { id: session, agent } = known(params.id)
        await api.post({ t: now(), source: 'keystroke', agent, session, what: 'look' })
        return { looked: true as const }
      },
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/name',
      afar: 'answer',
      summary: 'Gives a session a name.',
      access: 'person',
      params: parameters.bySession,
      body: schemas.sessionNaming,
      also: [404, 409],
      answer: schemas.session,
      handle: async ({ params, body }) => {
        const { id: session, agent, live } = known(params.id)
        if (!live)
          throw new Problem(409, 'id: the session has ended and is no longer watched', 'id')
        const name = body.name.trim()
        const other = api.sessions({ all: false }).sessions.find(isCalled(name, session))
        if (other)
          throw new Problem(409, `name: is the name of ${other.id}; choose another`, 'name')
        await api.post({ t: now(), source: 'keystroke', agent, session, what: 'name', name })
        return known(params.id)
      },
    }),
  ]
}

/** A name identifies one of the open sessions. */
function isCalled(name: string, id: string) {
  return (one: Session) => one.id !== id && one.state !== 'closed' && one.name === name
}

const NOTHING_SAID = { said: [], call: null }

function missing(): never {
  throw new Problem(404, 'id: no such session; GET /v1/sessions lists them', 'id')
}
