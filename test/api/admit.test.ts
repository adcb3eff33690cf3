import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mayCall } from '../../src/daemon/api/access.ts'
import { admit, type IncomingRequest, SIGN_IN } from '../../src/daemon/api/admit.ts'
import { tcpEndpoint, unixEndpoint } from '../../src/daemon/api/endpoint.ts'
import { Page } from '../../src/daemon/api/page.ts'
import { Browsers } from '../../src/daemon/browsers/browsers.ts'

const TOKEN = 'b'.repeat(64)
const browsers = new Browsers()
const HOST = 'rig.localhost:4711'
const ORIGIN = `http://${HOST}`
const code = browsers.code(ORIGIN).code
const { key, id } = browsers.signIn(code, '', { origin: ORIGIN }) ?? { key: '', id: '' }
const page = Page.read('/nowhere')
const endpoint = tcpEndpoint(4711, TOKEN, { browsers, page, origin: ORIGIN })

const word = fc.constantFrom(
  '/',
  '/v1',
  SIGN_IN,
  '/v1/sessions',
  '/index.html',
  '/?',
  '#',
  '%2e',
  '',
)
const target = fc.array(fc.oneof(word, fc.string({ maxLength: 5 })), { maxLength: 4 })
const credential = fc.oneof(
  fc.constant([]),
  fc.constantFrom(TOKEN, key, key.slice(1), `b${TOKEN}`, TOKEN.slice(1)).map((one) => [one]),
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 60, maxLength: 66 })
    .map((one) => [one]),
)
const asking = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'),
  target: target.map((pieces) => `/${pieces.join('')}`.replace('//', '/')),
  credential,
  host: fc.constantFrom(HOST, HOST, HOST, 'vigil', 'evil.example'),
  site: fc.constantFrom('none', 'none', 'cross-site'),
})

it('[DR1] every admitted caller has the token, a browser’s key, or asks for what is public', () => {
  const seen = new Set<string>()
  const one = fc.property(asking, ({ method, target: to, credential: given, host, site }) => {
    const isChange = method !== 'GET' && method !== 'HEAD'
    const headers: IncomingRequest['headers'] = {
      host: [host],
      'sec-fetch-site': [site],
      ...(given.length > 0 && { authorization: [`Bearer ${given[0]}`] }),
      ...(isChange && {
        'content-type': ['application/json'],
        'content-length': ['2'],
        'x-vigil': ['1'],
      }),
    }
    const admission = admit({ method, target: to, headers }, endpoint)
    if (!admission.ok) return
    const { caller } = admission
    seen.add(caller.kind)
    expect([host, site]).toEqual([HOST, 'none'])
    const [path] = to.split('?')
    if (caller.kind === 'token') expect(given).toEqual([TOKEN])
    else if (caller.kind === 'browser') expect([given, caller.id]).toEqual([[key], id])
    else expect([given, path]).toEqual([[], isChange ? SIGN_IN : '/'])
  })
  fc.assert(one, { numRuns: 5_000 })
  expect([...seen].toSorted()).toEqual(['anonymous', 'browser', 'token'])
})

it('[DR1] a token that begins like a browser’s key is a token, over both endpoints', () => {
  const headers = (host: string) => ({ host: [host], authorization: [`Bearer ${TOKEN}`] })
  const asked = { method: 'GET', target: '/v1/sessions' }
  expect(admit({ ...asked, headers: headers(HOST) }, endpoint)).toMatchObject({
    caller: { kind: 'token', transport: 'tcp' },
  })
  expect(admit({ ...asked, headers: headers('vigil') }, unixEndpoint(TOKEN))).toMatchObject({
    caller: { kind: 'token', transport: 'unix' },
  })
})

it('[DR4] which caller may call what, in full', () => {
  const callers = {
    socket: { kind: 'token', transport: 'unix' },
    tcp: { kind: 'token', transport: 'tcp' },
    browser: { kind: 'browser', id: 'x', name: 'x' },
    anonymous: { kind: 'anonymous' },
  } as const
  const allowed = (['person', 'socket', 'token', 'anybody', undefined] as const).map((wanted) => [
    wanted,
    Object.entries(callers).flatMap(([name, caller]) =>
      mayCall(caller, wanted === undefined ? {} : { access: wanted }) ? [name] : [],
    ),
  ])
  expect(allowed).toEqual([
    ['person', ['socket', 'browser']],
    ['socket', ['socket']],
    ['token', ['socket', 'tcp']],
    ['anybody', ['socket', 'tcp', 'browser', 'anonymous']],
    [undefined, ['socket', 'tcp', 'browser']],
  ])
})
