import * as schemas from '../../../protocol/browser.ts'
import * as parameters from '../../../protocol/parameters.ts'
import { done, nothing } from '../../../protocol/schema.ts'
import type { Browsers } from '../../browsers/browsers.ts'
import { CODE_LIFE_MS } from '../../browsers/codes.ts'
import { Problem } from '../../problem.ts'
import { headerOf, SIGN_IN } from '../admit.ts'
import { type Endpoint, requestAddress } from '../endpoint.ts'
import { type ApiRequest, goneOf, type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'

export function browserRoutes(shared: RouteContext, endpoint: Endpoint): readonly Route[] {
  return [...signingIn(shared, endpoint), ...signedIn(shared)]
}

function signingIn(shared: RouteContext, endpoint: Endpoint): readonly Route[] {
  const { gate, browsers, codeFiles, tunnels } = shared
  return [
    route({
      method: 'post',
      path: '/v1/tunnels',
      summary: 'Opens an SSH tunnel to the page; it stays open until the request ends.',
      access: 'socket',
      body: schemas.tunnel,
      also: [409, 503],
      answer: done,
      handle: async ({ body, request }) => {
        if (!tunnels)
          throw new Problem(
            503,
            'the page is not served here, so a tunnel has nothing to connect to',
          )
        await tunnels.hold(body, goneOf(request))
        return { done: true as const }
      },
    }),
    route({
      method: 'post',
      path: '/v1/browsers/codes',
      summary: 'Makes a code that signs in one browser, once, within two minutes, at one address.',
      access: 'socket',
      body: schemas.codeWanted,
      answer: schemas.browserCode,
      handle: ({ body }) => codeFor(shared, body),
    }),
    route({
      method: 'post',
      path: SIGN_IN,
      summary: 'Exchanges a code for a key: signs this browser in.',
      access: 'anybody',
      body: schemas.signIn,
      answer: schemas.signedIn,
      handle: ({ body, caller, request, headers }) => {
        const userAgent = headerOf(request, 'user-agent') ?? ''
        const former = caller.kind === 'browser' ? caller.id : undefined
        const origin = requestAddress(headerOf(request, 'host'), endpoint)?.origin
        const found = origin && browsers.signIn(body.code, userAgent, { former, origin })
        if (!found) {
          const { status, error } = gate.refuse('code', 403, endpoint, 'POST')
          throw new Problem(status, error, 'body.code')
        }
        if (former !== undefined) forgetAfter(request, browsers, former, 'signed in again')
        codeFiles?.remove(body.code)
        // Before the page stores its key: older data of this origin may be another user's.
        headers['clear-site-data'] = '"cache", "storage"'
        return found
      },
    }),
  ]
}

/** SPEC OC6. A code is for one address. */
function codeFor(
  { browsers, page, origins, codeFiles }: RouteContext,
  { origin, file }: schemas.CodeWanted,
) {
  const known = origins()
  if (origin !== undefined && !known.includes(origin))
    throw new Problem(400, `origin: expected one of ${known.join(', ')}`, 'body.origin')
  const address = origin ?? known[0] ?? null
  const made = browsers.code(address ?? '')
  const path =
    file && address !== null
      ? codeFiles?.write(made.code, `${address}/#code=${made.code}`, CODE_LIFE_MS)
      : undefined
  return { ...made, address, file: path ?? null, page: page?.isBuilt ?? false }
}

function signedIn({ browsers }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/browsers',
      summary: 'Lists the signed-in browsers, the most recently used first.',
      access: 'person',
      answer: schemas.browserList,
      handle: ({ caller }) => {
        const own = caller.kind === 'browser' ? caller.id : undefined
        return { browsers: browsers.list().map((one) => ({ ...one, here: one.id === own })) }
      },
    }),
    route({
      method: 'post',
      path: '/v1/browsers/{id}/forget',
      summary: 'Signs a browser out at once.',
      access: 'person',
      params: parameters.byId,
      body: nothing,
      also: [404],
      answer: schemas.forgotten,
      handle: ({ params, caller, request }) => {
        if (!browsers.list().some(({ id }) => id === params.id))
          throw new Problem(404, 'id: no such browser; GET /v1/browsers lists them', 'id')
        if (caller.kind === 'browser' && caller.id === params.id)
          forgetAfter(request, browsers, params.id, 'by itself')
        else if (caller.kind === 'browser') browsers.forget(params.id, `by ${caller.name}`, 'page')
        else browsers.forget(params.id, '', 'cli')
        return { forgotten: true as const }
      },
    }),
  ]
}

/**
 * A browser that forgets itself gets its response first: its connections, this one too, are cut.
 */
function forgetAfter({ outgoing }: ApiRequest, browsers: Browsers, id: string, why: string): void {
  const forget = () => browsers.forget(id, why, 'page')
  if (outgoing) outgoing.once('finish', forget).once('close', forget)
  else forget()
}
