import type { Browsers } from '../../browsers/browsers.ts'
import { SIGN_IN } from '../admit.ts'
import * as schemas from '../browser-schemas.ts'
import type { Desk } from '../desk.ts'
import type { Door } from '../door.ts'
import { nothing } from '../loop-schemas.ts'
import * as parameters from '../parameters.ts'
import { Problem } from '../problem.ts'
import { type ApiContext, type Route, route } from '../route.ts'

export function browserRoutes(desk: Desk, door: Door): readonly Route[] {
  return [...signingIn(desk, door), ...signedIn(desk)]
}

function signingIn({ fleet, gate, browsers, page }: Desk, door: Door): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/browsers/codes',
      summary: 'A code that signs one browser in, once, within two minutes.',
      who: 'socket',
      body: nothing,
      answer: schemas.code,
      handle: () => {
        const { address } = fleet.health()
        return { ...browsers.code(), address, page: page?.isBuilt ?? false }
      },
    }),
    route({
      method: 'post',
      path: SIGN_IN,
      summary: 'A key for a code: from now on this browser is its user’s.',
      who: 'anybody',
      body: schemas.signingIn,
      answer: schemas.signedIn,
      handle: ({ body, who, context }) => {
        const userAgent = context.req.header('user-agent') ?? ''
        const former = who.kind === 'browser' ? who.id : undefined
        const found = browsers.signIn(body.code, userAgent, former)
        if (found && former !== undefined) forgetAfter(context, browsers, former)
        if (found) return found
        const { status, error } = gate.refuse('code', 403, door, 'POST')
        throw new Problem(status, error, 'body.code')
      },
    }),
  ]
}

function signedIn({ browsers }: Desk): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/browsers',
      summary: 'The browsers that have signed in, the one used last first.',
      who: 'person',
      answer: schemas.browsers,
      handle: ({ who }) => {
        const own = who.kind === 'browser' ? who.id : undefined
        return { browsers: browsers.list().map((one) => ({ ...one, here: one.id === own })) }
      },
    }),
    route({
      method: 'post',
      path: '/v1/browsers/{id}/forget',
      summary: 'Signs a browser out, wherever it is, at once.',
      who: 'person',
      params: parameters.byId,
      body: nothing,
      also: [404],
      answer: schemas.forgotten,
      handle: ({ params, who, context }) => {
        if (!browsers.list().some(({ id }) => id === params.id))
          throw new Problem(404, 'id: no such browser; GET /v1/browsers lists them', 'id')
        if (who.kind === 'browser' && who.id === params.id)
          forgetAfter(context, browsers, params.id)
        else browsers.forget(params.id)
        return { forgotten: true as const }
      },
    }),
  ]
}

/** Who asks for it himself is answered first: his lines are cut, this one too. */
function forgetAfter(context: ApiContext, browsers: Browsers, id: string): void {
  const forget = () => browsers.forget(id)
  const outgoing = context.env?.outgoing
  if (outgoing) outgoing.once('finish', forget).once('close', forget)
  else forget()
}
