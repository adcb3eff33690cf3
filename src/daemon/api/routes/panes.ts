import * as schemas from '../../../protocol/pane.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { done, nothing } from '../../../protocol/schema.ts'
import type { Fleet } from '../../fleet.ts'
import type { Panes } from '../../panes/shapes.ts'
import type { Desk } from '../desk.ts'
import { localId } from '../local.ts'
import { Problem } from '../problem.ts'
import { type ApiContext, type Route, route } from '../route.ts'
import { nameOf } from './requests.ts'

export function paneRoutes({ fleet }: Desk): readonly Route[] {
  return [...watching(fleet), ...typing(fleet), jumping(fleet)]
}

function watching(fleet: Fleet): readonly Route[] {
  const { panes, machine } = fleet
  return [
    route({
      method: 'get',
      path: '/v1/sessions/{id}/screen',
      summary: 'What its pane in tmux shows, as it changes.',
      params: parameters.bySession,
      also: [404, 409, 503],
      answer: 'text/event-stream',
      events: schemas.screenEvent,
      handle: ({ params, context }) => screen(panes, localId(fleet, params.id), context),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/typing',
      summary: 'Whether it may be typed into.',
      params: parameters.bySession,
      also: [404],
      answer: schemas.typing,
      handle: ({ params }) => said(() => ({ machine, ...panes.typing(localId(fleet, params.id)) })),
    }),
  ]
}

function typing(fleet: Fleet): readonly Route[] {
  const { panes, machine } = fleet
  return [
    route({
      method: 'post',
      path: '/v1/sessions/{id}/typing',
      summary: 'Allows that it is typed into, until it ends, the daemon does, or it is turned off.',
      who: 'person',
      params: parameters.bySession,
      body: schemas.typingSwitch,
      also: [404, 409, 503],
      answer: schemas.typing,
      handle: ({ params, body: { on, where }, who }) =>
        said(() => {
          const by = { who: nameOf(who), where }
          return { machine, ...panes.setTyping(localId(fleet, params.id), on, by) }
        }),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/keys',
      summary: 'Types keys into its pane.',
      who: 'person',
      params: parameters.bySession,
      body: schemas.paneKeys,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { keys, where }, who }) =>
        doing(panes.keys(localId(fleet, params.id), keys, { who: nameOf(who), where })),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/prompt',
      summary: 'Sends a prompt to it, while it stands idle at an empty input line.',
      who: 'person',
      params: parameters.bySession,
      body: schemas.prompt,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { text, where }, who }) =>
        doing(panes.prompt(localId(fleet, params.id), text.trim(), { who: nameOf(who), where })),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/interrupt',
      summary: 'Interrupts it, while it works.',
      who: 'person',
      params: parameters.bySession,
      body: schemas.interrupt,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { where }, who }) =>
        doing(panes.interrupt(localId(fleet, params.id), { who: nameOf(who), where })),
    }),
  ]
}

function jumping(fleet: Fleet): Route {
  const { panes } = fleet
  return route({
    method: 'post',
    path: '/v1/sessions/{id}/jump',
    summary: 'Has the terminal that was last used in its tmux server show its pane.',
    who: 'person',
    params: parameters.bySession,
    body: nothing,
    also: [404, 409],
    answer: done,
    handle: ({ params }) => doing(panes.jump(localId(fleet, params.id))),
  })
}

async function screen(panes: Panes, id: string, context: ApiContext): Promise<Response> {
  // The answer to HEAD has no body that could end a viewing.
  if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS)
  const viewing = await said(() => panes.view(id, () => context.env?.outgoing?.destroy()))
  const { signal } = context.req.raw
  signal.addEventListener('abort', () => viewing.end(), { once: true })
  if (signal.aborted) viewing.end()
  return context.body(viewing.stream, 200, HEADERS)
}

const HEADERS = { 'content-type': 'text/event-stream' }

async function doing(act: Promise<void>): Promise<{ readonly done: true }> {
  await said(() => act)
  return { done: true }
}

/** What a pane refuses is the asker's to put right. */
async function said<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const { name, message, status } = error as Error & { status: number }
    if (name === 'PaneProblem') throw new Problem(status, message)
    if (name === 'StoreError') throw new Problem(503, `the log did not take it: ${message}`)
    throw error
  }
}
