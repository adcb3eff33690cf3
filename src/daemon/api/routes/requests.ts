import { actPage, auditPage } from '../../../protocol/act.ts'
import * as parameters from '../../../protocol/parameters.ts'
import * as schemas from '../../../protocol/request.ts'
import { done } from '../../../protocol/schema.ts'
import { Problem } from '../../problem.ts'
import type { Caller } from '../admit.ts'
import { localFilter, localId } from '../local.ts'
import { type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'

export function requestRoutes({ api }: RouteContext): readonly Route[] {
  return [...reading(api), ...answering(api)]
}

function reading(api: RouteContext['api']): readonly Route[] {
  const { requests, acts, machine } = api
  return [
    route({
      method: 'get',
      path: '/v1/requests',
      afar: 'look',
      summary: 'Lists the open requests of agents.',
      query: parameters.ofSession,
      answer: schemas.openRequests,
      also: [404],
      handle: ({ query }) => ({ machine, requests: requests.list(localFilter(api, query)) }),
    }),
    route({
      method: 'get',
      path: '/v1/requests/{id}',
      afar: 'look',
      summary: 'One request, with everything you need to decide.',
      params: parameters.byRequest,
      also: [404],
      answer: schemas.oneRequest,
      handle: ({ params }) => ({
        machine,
        request: requests.find(localId(api, params.id)) ?? missing(),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/acts',
      afar: 'look',
      summary: 'Lists what was done to sessions through vigil: when, by whom, from where, what.',
      query: parameters.pageOfActs,
      answer: actPage,
      also: [404],
      handle: ({ query }) => ({ machine, acts: acts.list(localFilter(api, query)) }),
    }),
    route({
      method: 'get',
      path: '/v1/audit',
      summary: 'A page of the audit log: acts with their hashes and what was shown.',
      access: 'person',
      query: parameters.pageOfAudit,
      answer: auditPage,
      also: [404],
      handle: ({ query }) => ({ machine, acts: acts.audit(localFilter(api, query)) }),
    }),
  ]
}

function answering(api: RouteContext['api']): readonly Route[] {
  const { requests } = api
  return [
    route({
      method: 'post',
      path: '/v1/requests/{id}/answer',
      afar: 'answer',
      summary: 'Answers a request. The first answer counts; a request that is over is refused.',
      access: 'person',
      params: parameters.byRequest,
      body: schemas.requestAnswer,
      also: [404, 409],
      answer: done,
      handle: async ({ params, body, caller }) => {
        await requests.answer(localId(api, params.id), body, callerName(caller))
        return { done: true as const }
      },
    }),
    route({
      method: 'post',
      path: '/v1/requests/outcome',
      summary: 'For waiting hooks: the answer to the request that the hook reported.',
      access: 'socket',
      body: schemas.spooledReport,
      answer: schemas.requestOutcome,
      handle: ({ body }) => requests.outcome({ name: body.report, digest: body.digest }),
    }),
  ]
}

/** The caller's name in the log of acts. */
export function callerName(caller: Caller): string {
  if (caller.kind === 'browser') return caller.name
  // SPEC FL121. By its key's owner: the machine's id, and its label for people.
  if (caller.kind === 'member') return `${caller.name}, machine ${caller.machine}`
  if (caller.kind === 'anonymous') return 'a caller without a token'
  return caller.transport === 'unix' ? 'the user, over the socket' : 'a program with the token'
}

function missing(): never {
  throw new Problem(404, 'id: no such request; GET /v1/requests lists them', 'id')
}
