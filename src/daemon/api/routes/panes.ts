import * as schemas from '../../../protocol/pane.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { done, nothing } from '../../../protocol/schema.ts'
import type { Panes } from '../../panes/shapes.ts'
import type { Desk } from '../desk.ts'
import { Problem } from '../problem.ts'
import { type ApiContext, type Route, route } from '../route.ts'
import { nameOf } from './requests.ts'

export function paneRoutes({ fleet }: Desk): readonly Route[] {
  return [...watching(fleet.panes), ...typing(fleet.panes), jumping(fleet.panes)]
}

function watching(panes: Panes): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sessions/{id}/screen',
      summary: 'What its pane in tmux shows, as it changes.',
      params: parameters.byId,
      also: [404, 409, 503],
      answer: 'text/event-stream',
      events: schemas.screenEvent,
      handle: ({ params, context }) => screen(panes, params.id, context),
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{id}/typing',
      summary: 'Whether it may be typed into.',
      params: parameters.byId,
      also: [404],
      answer: schemas.typingView,
      handle: ({ params }) => said(() => panes.typing(params.id)),
    }),
  ]
}

function typing(panes: Panes): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/sessions/{id}/typing',
      summary: 'Allows that it is typed into, until it ends, the daemon does, or it is turned off.',
      who: 'person',
      params: parameters.byId,
      body: schemas.typingSwitch,
      also: [404, 409, 503],
      answer: schemas.typingView,
      handle: ({ params, body: { on, where }, who }) =>
        said(() => panes.setTyping(params.id, on, { who: nameOf(who), where })),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/keys',
      summary: 'Types keys into its pane.',
      who: 'person',
      params: parameters.byId,
      body: schemas.paneKeys,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { keys, where }, who }) =>
        doing(panes.keys(params.id, keys, { who: nameOf(who), where })),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/prompt',
      summary: 'Sends a prompt to it, while it stands idle at an empty input line.',
      who: 'person',
      params: parameters.byId,
      body: schemas.prompt,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { text, where }, who }) =>
        doing(panes.prompt(params.id, text.trim(), { who: nameOf(who), where })),
    }),
    route({
      method: 'post',
      path: '/v1/sessions/{id}/interrupt',
      summary: 'Interrupts it, while it works.',
      who: 'person',
      params: parameters.byId,
      body: schemas.interrupt,
      also: [404, 409, 503],
      answer: done,
      handle: ({ params, body: { where }, who }) =>
        doing(panes.interrupt(params.id, { who: nameOf(who), where })),
    }),
  ]
}

function jumping(panes: Panes): Route {
  return route({
    method: 'post',
    path: '/v1/sessions/{id}/jump',
    summary: 'Has the terminal that was last used in its tmux server show its pane.',
    who: 'person',
    params: parameters.byId,
    body: nothing,
    also: [404, 409],
    answer: done,
    handle: ({ params }) => doing(panes.jump(params.id)),
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
