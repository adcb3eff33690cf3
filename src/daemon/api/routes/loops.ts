import { setImmediate } from 'node:timers/promises'
import * as schemas from '../../../protocol/loop.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { nothing } from '../../../protocol/schema.ts'
import type { Loops } from '../../loops/shapes.ts'
import type { By } from '../../panes/shapes.ts'
import type { Who } from '../admit.ts'
import type { Desk } from '../desk.ts'
import { goneOf } from '../gone.ts'
import { Problem } from '../problem.ts'
import { type Route, route } from '../route.ts'
import { nameOf } from './requests.ts'

export function loopRoutes({ fleet }: Desk): readonly Route[] {
  const { loops } = fleet
  return [...reading(loops), ...changing(loops), ...fromTheSession(loops)]
}

function reading(loops: Loops): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/loops',
      summary: 'The loops that keep agents going.',
      query: parameters.allOrOpen,
      answer: schemas.loopList,
      handle: ({ query }) => ({ loops: loops.list(query) }),
    }),
    route({
      method: 'get',
      path: '/v1/loops/{id}',
      summary: 'One loop, by its own id or by its session’s.',
      params: parameters.byId,
      also: [404],
      answer: schemas.oneLoop,
      handle: ({ params }) => ({ loop: loops.find(params.id) ?? missing() }),
    }),
    route({
      method: 'get',
      path: '/v1/loops/{id}/history',
      summary: 'What happened to it, the oldest first.',
      params: parameters.byId,
      also: [404],
      answer: schemas.loopHistory,
      handle: async ({ params }) => ({ steps: await said(() => loops.history(params.id)) }),
    }),
    route({
      method: 'get',
      path: '/v1/loops/{id}/state',
      summary: 'Its state, to be taken up elsewhere.',
      params: parameters.byId,
      also: [404],
      answer: schemas.loopState,
      handle: ({ params }) => said(() => loops.export(params.id) as Record<string, unknown>),
    }),
  ]
}

/**
 * SPEC WD1. Whoever begins a loop has an agent go on and may have commands run: that is done over
 * the socket alone. Holding, taking up and ending one is also for a signed-in browser.
 */
function changing(loops: Loops): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/loops',
      summary: 'Begins a loop; in a session that is in one, a loop within it.',
      who: 'socket',
      body: schemas.loopStart,
      also: [404, 409, 503],
      answer: schemas.loopStarted,
      handle: ({ body, who }) => said(() => loops.start(body, byOf(who))),
    }),
    route({
      method: 'post',
      path: '/v1/loops/import',
      summary: 'Takes up a loop whose state was kept elsewhere.',
      who: 'socket',
      body: schemas.loopImport,
      also: [404, 409, 503],
      answer: schemas.oneLoop,
      handle: ({ body, who }) =>
        said(() => ({ loop: loops.import(body.session, body.state, byOf(who)) })),
    }),
    route({
      method: 'post',
      path: '/v1/loops/{id}/pause',
      summary: 'The next Stop is let through, and every one until it is resumed.',
      who: 'person',
      params: parameters.byId,
      body: schemas.loopReason,
      also: [404, 409, 503],
      answer: schemas.oneLoop,
      handle: ({ params, body, who }) =>
        said(() => ({ loop: loops.pause(params.id, body.why, byOf(who)) })),
    }),
    route({
      method: 'post',
      path: '/v1/loops/{id}/resume',
      summary: 'It goes on, at once where its session can be reached.',
      who: 'person',
      params: parameters.byId,
      body: nothing,
      also: [404, 409, 503],
      answer: schemas.loopStarted,
      handle: ({ params, who }) => said(() => loops.resume(params.id, byOf(who))),
    }),
    route({
      method: 'post',
      path: '/v1/loops/{id}/stop',
      summary: 'It is over; the next Stop is let through.',
      who: 'person',
      params: parameters.byId,
      body: schemas.loopReason,
      also: [404, 409, 503],
      answer: schemas.oneLoop,
      handle: ({ params, body, who }) =>
        said(() => ({ loop: loops.stop(params.id, body.why, byOf(who)) })),
    }),
  ]
}

/** What a session's own hook and the plugin's command ask. */
function fromTheSession(loops: Loops): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/loops/begin',
      summary: 'What was typed behind /vigil:loop in this session becomes its loop.',
      who: 'socket',
      body: schemas.loopBegin,
      also: [404, 409, 503],
      answer: schemas.loopBegun,
      handle: ({ body, context }) => said(() => loops.begin(body.session, goneOf(context))),
    }),
    route({
      method: 'post',
      path: '/v1/loops/answer',
      summary: 'Asked by a hook: whether its agent may stop.',
      who: 'socket',
      body: schemas.loopQuestion,
      answer: schemas.loopAnswer,
      handle: async ({ body, context }) => {
        const gone = goneOf(context)
        // Long enough for a connection that was closed meanwhile to be seen as such.
        await setImmediate()
        return said(() => loops.answer(body, gone))
      },
    }),
  ]
}

function byOf(who: Who): By {
  return { who: nameOf(who), where: who.kind === 'browser' ? 'page' : 'cli' }
}

/** What a loop refuses is the asker's to put right. */
async function said<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const { name, message, status } = error as Error & { status: number }
    if (name === 'LoopProblem') throw new Problem(status, message)
    if (name === 'StoreError') throw new Problem(503, `the log did not take it: ${message}`)
    throw error
  }
}

function missing(): never {
  throw new Problem(404, 'id: no such loop; GET /v1/loops lists them', 'id')
}
