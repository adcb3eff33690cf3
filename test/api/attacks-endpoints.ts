import type { Route } from '../../src/daemon/api/route.ts'
import type { Parts } from './request.ts'
import type { Rig, Transport } from './support.ts'

/** One attack on any route of the table: how it must end, and where it cannot be tried. */
export interface RouteAttack {
  readonly name: string
  readonly over: readonly Transport[]
  readonly parts: (rig: Rig, transport: Transport) => Parts
  readonly status: number
  readonly reason: string
  readonly isFor?: (route: Route) => boolean
}

const BOTH: readonly Transport[] = ['unix', 'tcp', 'page']
const TCP: readonly Transport[] = ['tcp', 'page']
const UNIX: readonly Transport[] = ['unix']

const headers = (given: Parts['headers'] & object): Parts => ({ headers: given })
const bearer = (key: string): Parts => headers({ authorization: `Bearer ${key}` })
const isChange = ({ method }: Route) => method === 'post'
const needsKey = ({ access }: Route) => access !== 'anybody'
const isFor = (...kinds: readonly (Route['access'] & string)[]) => {
  return ({ access }: Route) => access !== undefined && kinds.includes(access)
}

/** Tried on every route there is, and on each that will be. */
export const ROUTE_ATTACKS: readonly RouteAttack[] = [
  {
    name: 'without a key',
    over: BOTH,
    parts: () => headers({ authorization: undefined }),
    status: 401,
    reason: 'token',
    isFor: needsKey,
  },
  {
    name: 'with a wrong token',
    over: BOTH,
    parts: () => bearer('0'.repeat(64)),
    status: 401,
    reason: 'token',
  },
  {
    name: 'with the key of no browser',
    over: BOTH,
    parts: () => bearer(`b${'0'.repeat(64)}`),
    status: 401,
    reason: 'token',
  },
  {
    name: 'with the key of a browser that was forgotten',
    over: BOTH,
    parts: (rig) => {
      const { id, key } = rig.signIn()
      rig.browsers.forget(id)
      return bearer(key)
    },
    status: 401,
    reason: 'token',
  },
  {
    name: 'with a browser’s key over the socket',
    over: UNIX,
    parts: (rig) => bearer(rig.browser.key),
    status: 401,
    reason: 'token',
  },
  {
    name: 'with a browser’s key in a cookie',
    over: TCP,
    parts: ({ browser }) =>
      headers({ authorization: undefined, cookie: `key=${browser.key}; vigil.key=${browser.key}` }),
    status: 401,
    reason: 'token',
    isFor: needsKey,
  },
  {
    name: 'with the token over TCP, where a person is wanted',
    over: TCP,
    parts: () => ({}),
    status: 403,
    reason: 'who',
    isFor: isFor('person', 'socket'),
  },
  {
    name: 'with a browser’s key, where the token is wanted',
    over: TCP,
    parts: (rig, way) => bearer(rig.keyOf(way)),
    status: 403,
    reason: 'who',
    isFor: isFor('token', 'socket'),
  },
  {
    name: 'by a rebound name',
    over: BOTH,
    parts: (rig) => {
      const host = `rebound.evil.example:${rig.port}`
      return headers({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })
    },
    status: 403,
    reason: 'host',
  },
  {
    name: 'by a page of another port',
    over: BOTH,
    parts: (rig) => headers({ origin: `http://127.0.0.1:${rig.port + 1}` }),
    status: 403,
    reason: 'origin',
  },
  {
    name: 'by a page of another site, with a browser’s key',
    over: TCP,
    parts: ({ browser }) =>
      headers({ authorization: `Bearer ${browser.key}`, 'sec-fetch-site': 'cross-site' }),
    status: 403,
    reason: 'site',
  },
  {
    name: 'by a frame without an origin, with a browser’s key',
    over: TCP,
    parts: ({ browser }) => headers({ authorization: `Bearer ${browser.key}`, origin: 'null' }),
    status: 403,
    reason: 'origin',
  },
  {
    name: 'by a form',
    over: BOTH,
    parts: () => headers({ 'content-type': 'application/x-www-form-urlencoded' }),
    status: 415,
    reason: 'media',
    isFor: isChange,
  },
  {
    name: 'without the header of ours',
    over: BOTH,
    parts: () => headers({ 'x-vigil': undefined }),
    status: 403,
    reason: 'header',
    isFor: isChange,
  },
]
