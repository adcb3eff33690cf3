import { setImmediate } from 'node:timers/promises'
import { actPage, auditPage } from '../../../protocol/act.ts'
import * as parameters from '../../../protocol/parameters.ts'
import * as schemas from '../../../protocol/request.ts'
import { done } from '../../../protocol/schema.ts'
import type { Who } from '../admit.ts'
import type { Desk } from '../desk.ts'
import { goneOf } from '../gone.ts'
import { localFilter } from '../local.ts'
import { Problem } from '../problem.ts'
import { type Route, route } from '../route.ts'

export function requestRoutes({ fleet }: Desk): readonly Route[] {
  return [...reading(fleet), ...answering(fleet)]
}

function reading(fleet: Desk['fleet']): readonly Route[] {
  const { requests, acts, machine } = fleet
  return [
    route({
      method: 'get',
      path: '/v1/requests',
      summary: 'What agents ask their user at present.',
      query: parameters.ofSession,
      answer: schemas.openRequests,
      also: [404],
      handle: ({ query }) => ({ machine, requests: requests.list(localFilter(fleet, query)) }),
    }),
    route({
      method: 'get',
      path: '/v1/requests/{id}',
      summary: 'One request, with everything needed to decide.',
      params: parameters.byId,
      also: [404],
      answer: schemas.oneRequest,
      handle: ({ params }) => ({ machine, request: requests.find(params.id) ?? missing() }),
    }),
    route({
      method: 'get',
      path: '/v1/acts',
      summary: 'What was done to sessions through vigil: who, where, when, what.',
      query: parameters.pageOfActs,
      answer: actPage,
      also: [404],
      handle: ({ query }) => ({ machine, acts: acts.list(localFilter(fleet, query)) }),
    }),
    route({
      method: 'get',
      path: '/v1/audit',
      summary: 'A page of the audit log: acts with their hashes and what was shown. Ends early.',
      who: 'person',
      query: parameters.pageOfAudit,
      answer: auditPage,
      also: [404],
      handle: ({ query }) => ({ machine, acts: acts.audit(localFilter(fleet, query)) }),
    }),
  ]
}

function answering({ requests }: Desk['fleet']): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/requests/{id}/answer',
      summary: 'Answers it. The first answer counts; one that is over is not answered.',
      who: 'person',
      params: parameters.byId,
      body: schemas.requestAnswer,
      also: [404, 409],
      answer: done,
      handle: ({ params, body, who }) => {
        said(() => requests.answer(params.id, body, nameOf(who)))
        return { done: true as const }
      },
    }),
    route({
      method: 'post',
      path: '/v1/requests/wait',
      summary: 'Asked by a hook: waits for the answer to the request it left a report of.',
      who: 'socket',
      body: schemas.requestWait,
      answer: schemas.requestOutcome,
      handle: async ({ body, context }) => {
        const gone = goneOf(context)
        // Long enough for a connection that was closed meanwhile to be seen as such.
        await setImmediate()
        const { report: name, digest } = body
        return requests.wait({ name, digest }, gone)
      },
    }),
  ]
}

/** Who did it, as it is noted. */
export function nameOf(who: Who): string {
  if (who.kind === 'browser') return who.name
  if (who.kind === 'nobody') return 'nobody'
  return who.transport === 'unix' ? 'its user, by the socket' : 'a program with the token'
}

/** What a request refuses is the asker's to put right. */
function said<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    const { name, message, status, field } = error as Error & { status: number; field?: string }
    if (name === 'RequestProblem') throw new Problem(status, message, field)
    if (name === 'StoreError') throw new Problem(503, `the log did not take it: ${message}`)
    throw error
  }
}

function missing(): never {
  throw new Problem(404, 'id: no such request; GET /v1/requests lists them', 'id')
}
