import { setImmediate } from 'node:timers/promises'
import type { LoopStart, LoopStarted } from '../../../protocol/loop.ts'
import * as schemas from '../../../protocol/loop.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { nothing } from '../../../protocol/schema.ts'
import type { DaemonApi } from '../../daemon-api.ts'
import type { By } from '../../panes/shapes.ts'
import { whyOff } from '../../panes/switches.ts'
import { Problem } from '../../problem.ts'
import type { Caller } from '../admit.ts'
import { localId } from '../local.ts'
import { goneOf, type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { callerName } from './requests.ts'

export function loopRoutes({ api }: RouteContext): readonly Route[] {
  return [...reading(api), ...changing(api), ...fromTheSession(api)]
}

function reading(api: DaemonApi): readonly Route[] {
  const { loops, machine } = api
  return [
    route({
      method: 'get',
      path: '/v1/loops',
      afar: 'look',
      summary: 'Lists the loops.',
      query: parameters.allOrOpen,
      answer: schemas.loopList,
      handle: ({ query }) => ({ machine, loops: loops.list(query) }),
    }),
    route({
      method: 'get',
      path: '/v1/loops/{id}',
      afar: 'look',
      summary: 'One loop, by its id or its session’s id.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.oneLoop,
      handle: ({ params }) => ({
        machine,
        loop: loops.find(localId(api, params.id)) ?? missing(),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/loops/{id}/history',
      afar: 'look',
      summary: 'The history of a loop, oldest first.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.loopHistory,
      handle: async ({ params }) => ({
        steps: loops.history(localId(api, params.id)),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/loops/{id}/state',
      summary: 'The state of a loop, to continue it elsewhere.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.loopState,
      handle: ({ params }) => loops.export(localId(api, params.id)) as Record<string, unknown>,
    }),
  ]
}

/**
 * SPEC WD1. Starting a loop makes an agent continue and may run commands, so only the socket may. A
 * signed-in browser may also pause, resume and stop a loop.
 */
function changing(api: DaemonApi): readonly Route[] {
  return [...starting(api), ...steering(api)]
}

function starting(api: DaemonApi): readonly Route[] {
  const { loops, machine, panes } = api
  return [
    route({
      method: 'post',
      path: '/v1/loops',
      afar: 'type',
      summary: 'Starts a loop. If the session is in a loop, the new loop is nested in it.',
      access: 'socket',
      body: schemas.loopStart,
      also: [404, 409, 503],
      answer: schemas.loopStarted,
      handle: ({ body, caller }) => {
        const session = localId(api, body.session, 'body.session')
        if (caller.kind === 'member') refuseCommands(body)
        // SPEC FL183. Its prompt reaches the agent as typed words would.
        if (caller.kind === 'member' && !panes.typing(session).on)
          throw new Problem(409, whyOff(session))
        return started(machine, () => loops.start({ ...body, session }, byOf(caller)))
      },
    }),
    route({
      method: 'post',
      path: '/v1/loops/import',
      summary: 'Continues a loop from an exported state.',
      access: 'socket',
      body: schemas.loopImport,
      also: [404, 409, 503],
      answer: schemas.oneLoop,
      handle: ({ body, caller }) => ({
        machine,
        loop: loops.import(localId(api, body.session, 'body.session'), body.state, byOf(caller)),
      }),
    }),
  ]
}

function steering(api: DaemonApi): readonly Route[] {
  const { loops, machine } = api
  return [
    route({
      method: 'post',
      path: '/v1/loops/{id}/pause',
      afar: 'answer',
      summary: 'Pauses a loop: the agent may stop until the loop is resumed.',
      access: 'person',
      params: parameters.bySession,
      body: schemas.loopReason,
      also: [404, 409, 503],
      answer: schemas.oneLoop,
      handle: ({ params, body, caller }) => ({
        machine,
        loop: loops.pause(localId(api, params.id), body.why, byOf(caller)),
      }),
    }),
    route({
      method: 'post',
      path: '/v1/loops/{id}/resume',
      afar: 'type',
      summary: 'Resumes a loop; at once if vigil can type into its session.',
      access: 'person',
      params: parameters.bySession,
      body: nothing,
      also: [404, 409, 503],
      answer: schemas.loopStarted,
      handle: ({ params, caller }) =>
        started(machine, () => loops.resume(localId(api, params.id), byOf(caller))),
    }),
    route({
      method: 'post',
      path: '/v1/loops/{id}/stop',
      afar: 'answer',
      summary: 'Ends a loop: the agent may stop.',
      access: 'person',
      params: parameters.bySession,
      body: schemas.loopReason,
      also: [404, 409, 503],
      answer: schemas.oneLoop,
      handle: ({ params, body, caller }) => ({
        machine,
        loop: loops.stop(localId(api, params.id), body.why, byOf(caller)),
      }),
    }),
  ]
}

/** Calls of a session's own hook and of the plugin's command. */
function fromTheSession(api: DaemonApi): readonly Route[] {
  const { loops, machine } = api
  return [
    route({
      method: 'post',
      path: '/v1/loops/begin',
      summary: 'Starts the loop that the user typed with /vigil:loop in this session.',
      access: 'socket',
      body: schemas.loopBegin,
      also: [404, 409, 503],
      answer: schemas.loopBegun,
      handle: async ({ body, request }) => {
        const session = localId(api, body.session, 'body.session')
        return { machine, begun: await loops.begin(session, goneOf(request)) }
      },
    }),
    route({
      method: 'post',
      path: '/v1/loops/answer',
      summary: 'For hooks: whether the agent may stop.',
      access: 'socket',
      body: schemas.loopQuestion,
      answer: schemas.loopAnswer,
      handle: async ({ body, request }) => {
        const gone = goneOf(request)
        // Long enough to notice a connection that was closed meanwhile.
        await setImmediate()
        return loops.answer(body, gone)
      },
    }),
  ]
}

/** SPEC FL124. These run on this machine whatever its sessions' typing switches say. */
function refuseCommands(wanted: Pick<LoopStart, 'until' | 'source' | 'promptFile' | 'worktree'>) {
  for (const name of ['until', 'source', 'promptFile', 'worktree'] as const)
    if (wanted[name] !== null)
      throw new Problem(409, `${name}: cannot be set from another machine`, `body.${name}`)
}

async function started(machine: string, start: () => Promise<LoopStarted>) {
  return { machine, ...(await start()) }
}

function byOf(caller: Caller): By {
  return { who: callerName(caller), where: caller.kind === 'browser' ? 'page' : 'cli' }
}

function missing(): never {
  throw new Problem(404, 'id: no such loop; GET /v1/loops lists them', 'id')
}
