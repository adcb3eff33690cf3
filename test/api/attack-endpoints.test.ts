import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIGN_IN } from '../../src/daemon/api/admit.ts'
import { testApi } from './ask.ts'
import { ROUTE_ATTACKS, type RouteAttack } from './attacks-endpoints.ts'
import { bytesOf, type Parts } from './request.ts'
import { INDEX, type Rig, send, startRig, TRANSPORTS, type Transport } from './support.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

const { routes } = testApi()
const targets = routes.map((route) => ({ route, name: `${route.method} ${route.path}` }))

describe.each(TRANSPORTS)('every route over %s', (transport) => {
  it.each(targets)('[DR4] refuses all that are not meant: $name', async ({ route }) => {
    const attacks = ROUTE_ATTACKS.filter(
      ({ over, isFor = () => true }) => over.includes(transport) && isFor(route),
    )
    expect(attacks.length).toBeGreaterThan(5)
    for (const attack of attacks) await refused(attack, route.path, route.method, transport)
  })
})

async function refused(
  { name, parts, status, reason }: RouteAttack,
  path: string,
  method: string,
  transport: Transport,
): Promise<void> {
  const base: Parts = {
    target: path.replaceAll(/\{\w+\}/g, 'x'),
    ...(method === 'post' && { method: 'POST', body: '{}' }),
  }
  const bytes = bytesOf(rig, transport, { ...base, ...parts(rig, transport) })
  const counted = rig.gate.refused()[reason] ?? 0
  const before = stateOf(rig)
  const answer = await send(rig.dial(transport), [bytes])
  expect([name, answer.status, JSON.parse(answer.body).reason]).toEqual([name, status, reason])
  expect(rig.gate.refused()[reason]).toBe(counted + 1)
  expect(stateOf(rig)).toEqual(before)
  expect(answer.raw).not.toMatch(/set-cookie|access-control/i)
}

/** Tried with nothing in hand, or with what belongs elsewhere. */
const NO_TOKEN = { authorization: undefined }
const withoutToken = (target: string, headers: Parts['headers'] = {}): Parts => ({
  target,
  headers: { ...NO_TOKEN, ...headers },
})
const signingIn = (body: unknown, headers: Parts['headers'] = {}): Parts => ({
  method: 'POST',
  target: SIGN_IN,
  body: JSON.stringify(body),
  headers: { ...NO_TOKEN, ...headers },
})

type Row = readonly [string, (rig: Rig) => Parts, number]

const usual = ({ port }: Rig) => ({ host: `localhost:${port}` })
const usualPage = (rig: Rig) => ({ ...usual(rig), origin: `http://localhost:${rig.port}` })

const ON_THE_PAGE: readonly Row[] = [
  ['by the usual name of this machine', (one) => withoutToken('/index.html', usual(one)), 401],
  ['by a page of the usual name', (one) => withoutToken('/', usualPage(one)), 403],
  ['by a rebound name', () => withoutToken('/', { host: 'rebound.evil.example' }), 403],
  ['by another port', (one) => withoutToken('/', { host: `127.0.0.1:${one.port + 1}` }), 403],
  ['by another site', () => withoutToken('/', cross()), 403],
  [
    'in a frame of another site',
    () => withoutToken('/', { ...link(), 'sec-fetch-dest': 'iframe' }),
    403,
  ],
  [
    'as a picture of another site',
    () => withoutToken('/', { ...cross(), 'sec-fetch-dest': 'image' }),
    403,
  ],
  ['by a link to a file of its', () => withoutToken('/assets/app-4f2a.js', link()), 403],
  ['by a link with a query', () => withoutToken('/?x=1', link()), 403],
  ['by a link to a route', () => withoutToken('/v1/sessions', link()), 403],
  ['by a link, with the token', () => ({ target: '/', headers: link() }), 403],
  [
    'by a form',
    () => ({ method: 'POST', target: '/', body: '{}', headers: { ...NO_TOKEN, ...link() } }),
    403,
  ],
  ['by a script of another site', () => withoutToken('/assets/app-4f2a.js', cross()), 403],
  [
    'with a wrong token',
    () => withoutToken('/', { authorization: `Bearer ${'0'.repeat(64)}` }),
    401,
  ],
  ['as a WebSocket', () => withoutToken('/', { connection: 'Upgrade', upgrade: 'websocket' }), 403],
  ['a file beside the page', () => withoutToken('/notes.txt'), 401],
  ['the map of a script', () => withoutToken('/assets/app-4f2a.js.map'), 401],
  ['a link out of the folder', () => withoutToken('/assets/link.js'), 401],
  ['a compressed file by its name', () => withoutToken('/assets/app-4f2a.js.br'), 401],
  ['a folder', () => withoutToken('/assets/'), 401],
  ['another spelling', () => withoutToken('/assets/%61pp-4f2a.js'), 401],
  ['two slashes', () => withoutToken('//assets/app-4f2a.js'), 401],
  ['traversal', () => withoutToken('/assets/../../../etc/passwd'), 404],
  ['traversal, encoded', () => withoutToken('/assets/%2e%2e/index.html'), 404],
  ['traversal, encoded slashes', () => withoutToken('/assets/..%2f..%2fetc%2fpasswd'), 401],
  ['a property of every object', () => withoutToken('/__proto__'), 401],
  ['the key in its query', ({ browser }) => withoutToken(`/?key=${browser.key}`), 400],
  ['a code in its query', () => withoutToken('/?code=abc'), 400],
  ['a change to it', () => ({ method: 'POST', target: '/', body: '{}', headers: NO_TOKEN }), 401],
]

const ON_THE_SIGN_IN: readonly Row[] = [
  ['under the usual name of this machine', (one) => signingIn({ code: 'x' }, usual(one)), 401],
  ['a guess', () => signingIn({ code: '0'.repeat(32) }), 403],
  ['an empty code', () => signingIn({ code: '' }), 400],
  ['no code', () => signingIn({}), 400],
  ['a code that is no text', () => signingIn({ code: [{}] }), 400],
  ['a code longer than any', () => signingIn({ code: '0'.repeat(101) }), 400],
  ['by GET', () => withoutToken(`${SIGN_IN}?x=1`), 401],
  ['by DELETE', () => ({ ...signingIn({ code: 'x' }), method: 'DELETE' }), 401],
  ['by a form', () => signingIn({}, { 'content-type': 'text/plain' }), 415],
  ['without the header of ours', () => signingIn({}, { 'x-vigil': undefined }), 403],
  ['by another site', (one) => signingIn({ code: one.browsers.code().code }, cross()), 403],
  ['by a page of another port', () => signingIn({}, { origin: 'http://127.0.0.1:3000' }), 403],
  ['by another spelling', () => ({ ...signingIn({}), target: '/v1/browsers/sign%2Din' }), 401],
]

function cross(): Record<string, string> {
  return { 'sec-fetch-site': 'cross-site' }
}

function link(): Record<string, string> {
  return { ...cross(), 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
}

describe('what no caller may do', () => {
  it.each(ON_THE_PAGE)('[DR1] [DR17] [OC1] refused on the page: %s', tried)
  it.each(ON_THE_SIGN_IN)('[DR1] [OC1] refused at the sign-in: %s', tried)

  it('[DR17] but a link in a message leads to the page', async () => {
    const answer = await send(rig.dial('tcp'), [bytesOf(rig, 'tcp', withoutToken('/', link()))])
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(/doctype/)
  })

  it.each(['cross-site', 'same-site'])('[SH13] from %s it is not the page itself', async (site) => {
    const headers = { ...link(), 'sec-fetch-site': site }
    const answer = await send(rig.dial('tcp'), [bytesOf(rig, 'tcp', withoutToken('/', headers))])
    expect(answer.body).toContain('from another site')
    for (const own of ['same-origin', 'none']) {
      const mine = withoutToken('/', { ...link(), 'sec-fetch-site': own })
      const page = await send(rig.dial('tcp'), [bytesOf(rig, 'tcp', mine)])
      expect(page.body).toBe(INDEX)
    }
  })

  it('[DR1] over the socket there is no page and no sign-in', async () => {
    const { code } = rig.browsers.code()
    for (const parts of [
      withoutToken('/'),
      withoutToken('/assets/app-4f2a.js'),
      signingIn({ code }),
    ]) {
      const answer = await send(rig.dial('unix'), [bytesOf(rig, 'unix', parts)])
      expect(answer.status).toBe(401)
    }
    const { status } = await send(rig.dial('unix'), [bytesOf(rig, 'unix', { target: '/' })])
    expect(status).toBe(404)
  })

  async function tried(_name: string, parts: Row[1], status: number): Promise<void> {
    const before = stateOf(rig)
    const answer = await send(rig.dial('tcp'), [bytesOf(rig, 'tcp', parts(rig))])
    expect(answer.status, answer.raw.slice(0, 300)).toBe(status)
    expect(answer.body).not.toMatch(/doctype|precious|root:/)
    expect(stateOf(rig)).toEqual(before)
  }
})

describe('a shared address', () => {
  const [host, origin] = ['vigil.example.org', 'https://vigil.example.org']
  const asked = async (headers: Parts['headers'] & object, way: Transport = 'page') =>
    (await send(rig.dial(way), [bytesOf(rig, way, { headers })])).status

  it('[OC5] is let in by the page’s socket, and not by the port', async () => {
    rig.shared.push({ host, origin })
    expect(await asked({ host, origin })).toBe(200)
    expect(await asked({ host, origin }, 'tcp')).toBe(403)
    expect(await asked({ host }, 'tcp')).toBe(403)
    rig.shared.pop()
  })

  it('[OC5] is all that the page’s socket answers to, not this machine’s own address', async () => {
    const [own, authorization] = [rig.host('tcp'), `Bearer ${rig.signIn().key}`]
    expect(await asked({ host: own, authorization }, 'tcp')).toBe(200)
    expect(await asked({ host: own, authorization })).toBe(403)
    expect(await asked({ host: own })).toBe(403)
  })

  it('[OC6] has keys and codes of its own', async () => {
    rig.shared.push({ host, origin })
    const { code } = rig.browsers.code(origin)
    const used = (under: Parts['headers'] & object) =>
      send(rig.dial('page'), [bytesOf(rig, 'page', signingIn({ code }, under))])
    expect((await used({})).status).toBe(403)
    const answer = await used({ host, origin })
    const authorization = `Bearer ${JSON.parse(answer.body).key}`
    expect(await asked({ host, authorization })).toBe(200)
    expect(await asked({ authorization })).toBe(401)
    expect(await asked({ authorization }, 'tcp')).toBe(401)
    const own = `Bearer ${rig.signIn().key}`
    expect(await asked({ authorization: own }, 'tcp')).toBe(200)
    expect(await asked({ authorization: own })).toBe(401)
    expect(await asked({ host, authorization: own })).toBe(401)
    expect(await asked({ host: `127.0.0.1:${rig.port}`, authorization: own }, 'tcp')).toBe(401)
    rig.shared.pop()
  })

  it('[DR11] is let in with its very Host and Origin, and no other', async () => {
    expect(await asked({ host, origin })).toBe(403)
    const other = { host: 'other.example.org', origin: 'https://other.example.org' }
    rig.shared.push({ host, origin }, other)
    expect(await asked({ host, origin })).toBe(200)
    expect(await asked({ host })).toBe(200)
    const own = rig.host('tcp')
    for (const headers of [
      { host, origin: `http://${own}` },
      { host: own, origin },
      { host, origin: other.origin },
      { ...other, origin },
      { host, origin: 'http://vigil.example.org' },
      { host: `${host}:443`, origin },
      { host: `${host}:${rig.port}`, origin },
      { host: `evil.${host}`, origin: `https://evil.${host}` },
      { host: host.toUpperCase(), origin },
      { host: `${host}.`, origin },
      { host, origin, 'sec-fetch-site': 'same-site' },
      { host: 'evil.example', 'x-forwarded-host': host, origin },
    ])
      expect([headers, await asked(headers)]).toEqual([headers, 403])
    rig.shared.splice(-2)
    expect(await asked({ host, origin })).toBe(403)
  })

  it('[DR11] is none over the socket', async () => {
    rig.shared.push({ host, origin })
    const bytes = bytesOf(rig, 'unix', { headers: { host } })
    expect((await send(rig.dial('unix'), [bytes])).status).toBe(403)
    rig.shared.pop()
  })
})

it('[DR10] no complaint holds a key, a code or the token', () => {
  const said = JSON.stringify(rig.complaints)
  expect(rig.complaints.length).toBeGreaterThan(0)
  expect(said).not.toMatch(/[0-9a-f]{32}/)
})

/** What an attack could have changed. */
function stateOf({ fleet, subscribers, browsers }: Rig) {
  const { log, stops, imported, feed } = fleet
  const ids = browsers.list().map(({ id }) => id)
  return [log.length, feed.lastId(), stops.length, imported.length, subscribers.count, ids.length]
}
