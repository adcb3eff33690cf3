import * as schemas from '../../../protocol/pane.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { done, nothing } from '../../../protocol/schema.ts'
import type { DaemonApi } from '../../daemon-api.ts'
import type { Panes } from '../../panes/shapes.ts'
import { localId } from '../local.ts'
import { type ApiRequest, type OwnAnswer, type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { EVENT_HEADERS } from './events.ts'
import { callerName } from './requests.ts'

export function paneRoutes({ api }: RouteContext): readonly Route[] {
  return [...watching(api), ...typing(api), jumping(api)]
}

function watching(api: DaemonApi): readonly Route[] {
  const { panes, machine } = api
  return [
    route({
      method: 'get',
      path: '/v1/sessions/{id}/screen',
      afar: 'look',
      summary: 'Streams the content of a session’s tmux pane.',
      params: parameters.bySession,
      also: [404, 409, 503],
      answer: 'text/event-stream',
      events: schemas.screenEvent,
      handle: ({ params, request }) => screen(panes, localId(api, params.id), request),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/pane',
      afar: 'look',
      summary: 'The present content of a session’s tmux pane.',
      params: parameters.bySession,
      also: [404, 409],
      answer: schemas.paneLines,
      handle: async ({ params }) => {
        const session = localId(api, params.id)
        return { machine, session, rows: await panes.lines(session) }
      },
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/typing',
      afar: 'look',
      summary: 'Whether vigil may type into a session.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.typing,
      handle: ({ params }) => ({ machine, ...panes.typing(localId(api, params.id)) }),
    }),
  ]
}

function typing(api: DaemonApi): readonly Route[] {
  const { panes, machine } = api
  return [
    route({
      method: 'post',
      path: '/v1/sessions/{id}/typing',
      summary:
        'Lets vigil type into a session, until the session or the daemon ends or you turn it off.',
      access: 'person',
      params: parameters.bySession,
      body: schemas.typingSwitch,
      also: [404, 409, 503],
      answer: schemas.typing,
      handle: ({ params, body: { on, where }, caller }) => ({
        machine,
        ...panes.setTyping(localId(api, params.id), on, { who: callerName(caller), where }),
      }),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/keys',
      afar: 'type',
      summary: 'Types keys into a session’s pane.',
      access: 'person',
      params: parameters.bySession,
      body: schemas.paneKeys,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { keys, where }, caller }) =>
        doing(panes.keys(localId(api, params.id), keys, { who: callerName(caller), where })),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/prompt',
      afar: 'type',
      summary: 'Sends a prompt to a session; while the agent works, the prompt is queued.',
      access: 'person',
      params: parameters.bySession,
      body: schemas.prompt,
      also: [404, 409, 503],
      answer: schemas.prompted,
      handle: ({ params, body: { text, where }, caller }) =>
        panes.prompt(localId(api, params.id), text.trim(), { who: callerName(caller), where }),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/interrupt',
      afar: 'type',
      summary: 'Interrupts a session that is working.',
      access: 'person',
      params: parameters.bySession,
      body: schemas.interrupt,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { where }, caller }) =>
        doing(panes.interrupt(localId(api, params.id), { who: callerName(caller), where })),
    }),
  ]
}

function jumping(api: DaemonApi): Route {
  const { panes } = api
  return route({
    method: 'post',
    path: '/v1/sessions/{id}/jump',
    summary: 'Shows a session’s pane in the most recently used terminal of its tmux server.',
    access: 'person',
    params: parameters.bySession,
    body: nothing,
    also: [404, 409],
    answer: done,
    handle: ({ params }) => doing(panes.jump(localId(api, params.id))),
  })
}

async function screen(
  panes: Panes,
  id: string,
  { method, outgoing }: ApiRequest,
): Promise<OwnAnswer> {
  // The response to HEAD has no body that could end a viewing.
  if (method === 'HEAD') return { headers: EVENT_HEADERS, body: null }
  return { headers: EVENT_HEADERS, body: await panes.view(id, () => outgoing?.destroy()) }
}

async function doing(act: Promise<void>): Promise<{ readonly done: true }> {
  await act
  return { done: true }
}
