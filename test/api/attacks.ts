import { bytesOf, change, chunked, type Parts } from './request.ts'
import type { Rig, Transport } from './support.ts'

/** One attack: the bytes sent, and how it must end. */
export interface Attack {
  readonly name: string
  readonly send: (rig: Rig, transport: Transport) => readonly string[]
  readonly status: number
  /** Under which it is counted; none for what is answered like any other unknown thing. */
  readonly reason?: string
}

const refused = (status: number, reason: string | undefined, attacks: Record<string, Send>) =>
  Object.entries(attacks).map(([name, how]): Attack => {
    const send = (rig: Rig, transport: Transport) => {
      const made = how(rig, transport)
      return typeof made === 'string' ? [made] : [bytesOf(rig, transport, made)]
    }
    return reason === undefined ? { name, send, status } : { name, send, status, reason }
  })

type Send = (rig: Rig, transport: Transport) => Parts | string

const headers = (given: Parts['headers'] & object): Parts => ({ headers: given })
const port = (rig: Rig) => rig.port
const OVER_4_MB = 'x'.repeat(4 * 1024 * 1024 + 1)
const FORM = 'application/x-www-form-urlencoded'
const SOCKET_KEY = {
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
}
const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket', ...SOCKET_KEY }

export const ATTACKS: readonly Attack[] = [
  ...refused(403, 'upgrade', {
    'WebSocket upgrade': () => headers({ ...UPGRADE, authorization: undefined }),
    'WebSocket upgrade with the right token': () => headers(UPGRADE),
    'WebSocket upgrade of the events': () => ({ target: '/v1/events', headers: UPGRADE }),
    'WebSocket upgrade from a foreign page': () => headers({ ...UPGRADE, origin: 'http://evil' }),
    'upgrade to HTTP/2': () => headers({ connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }),
    'upgrade without saying to what': () => headers({ connection: 'keep-alive, Upgrade' }),
    CONNECT: () => ({ method: 'CONNECT', target: 'evil.example:443' }),
  }),
  ...refused(400, 'host', {
    'no Host': () => headers({ host: undefined }),
    'no Host, HTTP/1.0': () => ({ version: 'HTTP/1.0', headers: { host: undefined } }),
    'two Hosts': (rig, way) => headers({ host: [rig.host(way), rig.host(way)] }),
    'two Hosts, the second foreign': (rig, way) => headers({ host: [rig.host(way), 'evil'] }),
  }),
  ...refused(403, 'host', {
    'foreign Host': () => headers({ host: 'evil.example' }),
    'rebound name': (rig) => headers({ host: `rebound.evil.example:${port(rig)}` }),
    'rebound name with a page of it': (rig) => {
      const host = `rebound.evil.example:${port(rig)}`
      return headers({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })
    },
    'Host with another port': (rig) => headers({ host: `127.0.0.1:${port(rig) + 1}` }),
    'Host without a port': () => headers({ host: '127.0.0.1' }),
    'Host of IPv6': (rig) => headers({ host: `[::1]:${port(rig)}` }),
    'Host of IPv6 around IPv4': (rig) => headers({ host: `[::ffff:127.0.0.1]:${port(rig)}` }),
    'Host of no address': (rig) => headers({ host: `0.0.0.0:${port(rig)}` }),
    'Host in other letters': (rig) => headers({ host: `LOCALHOST:${port(rig)}` }),
    'Host with a dot at its end': (rig) => headers({ host: `localhost.:${port(rig)}` }),
    'Host as a number': (rig) => headers({ host: `2130706433:${port(rig)}` }),
    'Host with a user': (rig, way) => headers({ host: `evil@${rig.host(way)}` }),
    'Host of the other way in': (rig, way) =>
      headers({ host: rig.host(way === 'unix' ? 'tcp' : 'unix') }),
    'empty Host': () => headers({ host: '' }),
    'a right forwarded Host': (rig, way) =>
      headers({ host: 'evil', 'x-forwarded-host': rig.host(way) }),
  }),
  ...refused(403, 'origin', {
    'foreign Origin': () => headers({ origin: 'https://evil.example' }),
    'Origin null': () => headers({ origin: 'null' }),
    'empty Origin': () => headers({ origin: '' }),
    'Origin of the usual address': (rig) => headers({ origin: `http://127.0.0.1:${port(rig)}` }),
    'Origin of another port': (rig) => headers({ origin: `http://127.0.0.1:${port(rig) + 1}` }),
    'Origin of another scheme': (rig) => headers({ origin: `https://127.0.0.1:${port(rig)}` }),
    'Origin that begins like ours': (rig) =>
      headers({ origin: `http://127.0.0.1:${port(rig)}.evil.example` }),
    'Origin of an extension': () => headers({ origin: 'chrome-extension://abc' }),
    'two Origins, the first ours': (rig) =>
      headers({ origin: [`http://127.0.0.1:${port(rig)}`, 'https://evil.example'] }),
    'our Origin twice': (rig) => {
      const own = `http://127.0.0.1:${port(rig)}`
      return headers({ origin: [own, own] })
    },
    'foreign Origin with a change': () => change({ headers: { origin: 'https://evil.example' } }),
  }),
  ...refused(403, 'site', {
    'Sec-Fetch-Site cross-site': () => headers({ 'sec-fetch-site': 'cross-site' }),
    'Sec-Fetch-Site same-site': () => headers({ 'sec-fetch-site': 'same-site' }),
    'two Sec-Fetch-Site': () => headers({ 'sec-fetch-site': ['none', 'cross-site'] }),
  }),
  ...refused(405, 'method', {
    'OPTIONS preflight': () => ({
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST', authorization: undefined },
    }),
    'OPTIONS of all': () => ({ method: 'OPTIONS', target: '*' }),
    TRACE: () => ({ method: 'TRACE' }),
    PUT: () => change({ method: 'PUT' }),
    PATCH: () => change({ method: 'PATCH' }),
    PROPFIND: () => ({ method: 'PROPFIND' }),
  }),
  ...refused(400, 'target', {
    'absolute target of a foreign host': () => ({ target: 'http://evil.example/v1/sessions' }),
    'absolute target of our own host': (rig, way) => ({
      target: `http://${rig.host(way)}/v1/sessions`,
    }),
    'encoding that is none': () => ({ target: '/v1/sessions/%zz' }),
    'bytes that are no UTF-8': () => ({ target: '/v1/sessions/%ff%fe' }),
    'backslashes in the path': () => ({ target: '/v1\\..\\..\\etc\\passwd' }),
  }),
  ...refused(404, 'target', {
    'traversal to another route': () => ({ target: '/v1/sessions/../health' }),
    'traversal out of everything': () => ({ target: '/../../../../etc/passwd' }),
    'traversal, encoded dots': () => ({ target: '/v1/sessions/%2e%2e/health' }),
    'traversal, half encoded': () => ({ target: '/v1/sessions/.%2E/health' }),
    'traversal, single dot': () => ({ target: '/v1/./sessions' }),
  }),
  ...refused(404, undefined, {
    'traversal, encoded slashes': () => ({ target: '/v1/sessions/..%2f..%2fetc%2fpasswd' }),
    'traversal, encoded twice': () => ({ target: '/v1/sessions/%252e%252e%252fetc%252fpasswd' }),
    'two slashes': () => ({ target: '//v1/sessions' }),
    'a host behind two slashes': () => ({ target: '//evil.example/v1/sessions' }),
    'a file': () => ({ target: '/etc/passwd' }),
    'a file of no page': () => ({ target: '/notes.txt' }),
  }),
  ...refused(411, 'body', {
    'POST without a body': () => change({ headers: { 'content-length': undefined }, body: '' }),
    'POST with an empty body': () => change({ body: '' }),
    'POST to stop without a body': () => ({
      ...change({ body: '', headers: { 'content-length': undefined } }),
      target: '/v1/stop',
    }),
    'DELETE without a body': () => ({ method: 'DELETE', headers: { 'x-vigil': '1' } }),
  }),
  ...refused(400, 'body', {
    'GET with a body': () => ({ headers: { 'content-length': '5' }, body: 'hello' }),
    'GET with a chunked body': (rig, way) =>
      bytesOf(rig, way, headers({ 'transfer-encoding': 'chunked' })) + chunked(['hello']),
  }),
  ...refused(415, 'media', {
    'POST of plain text': () => change({ headers: { 'content-type': 'text/plain' } }),
    'POST of a form': () => change({ headers: { 'content-type': FORM } }),
    'POST of parts': () =>
      change({ headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
    'POST of nothing said': () => change({ headers: { 'content-type': undefined } }),
    'POST of JSON hidden in text': () =>
      change({ headers: { 'content-type': 'text/plain; application/json' } }),
    'POST of two types': () =>
      change({ headers: { 'content-type': ['application/json', 'text/plain'] } }),
  }),
  ...refused(403, 'header', {
    'POST without x-vigil': () => change({ headers: { 'x-vigil': undefined } }),
    'POST with another x-vigil': () => change({ headers: { 'x-vigil': '0' } }),
  }),
  ...refused(400, 'query', {
    'the right token in the query': ({ token }) => ({
      target: `/v1/sessions?token=${token}`,
      headers: { authorization: undefined },
    }),
    'the right token in both': ({ token }) => ({ target: `/v1/sessions?access_token=${token}` }),
    'the right token under another name': ({ token }) => ({ target: `/v1/sessions?all=${token}` }),
    'a wrong token in the query': () => ({ target: '/v1/events?auth=abc' }),
    'a key in the query': () => ({ target: '/v1/reports?KEY=1' }),
    'a code in the query': () => ({ target: '/v1/sessions?code=1' }),
  }),
  ...refused(401, 'token', {
    'no token': () => headers({ authorization: undefined }),
    'no token on health': () => ({ target: '/v1/health', headers: { authorization: undefined } }),
    'no token on no route': () => ({ target: '/nothing', headers: { authorization: undefined } }),
    'a wrong token': () => headers({ authorization: `Bearer ${'0'.repeat(64)}` }),
    'a token one digit short': ({ token }) =>
      headers({ authorization: `Bearer ${token.slice(1)}` }),
    'a token one digit long': ({ token }) => headers({ authorization: `Bearer ${token}0` }),
    'a token in capitals': ({ token }) =>
      headers({ authorization: `Bearer ${token.toUpperCase()}${/[a-f]/.test(token) ? '' : '0'}` }),
    'an empty token': () => headers({ authorization: 'Bearer ' }),
    'the token as a password': ({ token }) =>
      headers({ authorization: `Basic ${Buffer.from(`vigil:${token}`).toString('base64')}` }),
    'the token twice': ({ token }) =>
      headers({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
    'the token in a cookie': ({ token }) =>
      headers({ authorization: undefined, cookie: `token=${token}; authorization=${token}` }),
    'the token in a header of another name': ({ token }) =>
      headers({ authorization: undefined, 'x-token': token, 'x-vigil': token }),
    'a change without a token': () => change({ headers: { authorization: undefined } }),
  }),
  ...refused(413, 'size', {
    'a body over 4 MB': () => change({ body: `"${OVER_4_MB}"` }),
    'a body said to be of 5 GB, and not sent': () =>
      change({ body: '', headers: { 'content-length': String(5e9) } }),
    'a chunked body over 4 MB': (rig, way) =>
      bytesOf(rig, way, chunkedChange()) + chunked(['"', OVER_4_MB, '"']),
  }),
  ...refused(400, 'malformed', {
    'length and chunks': (rig, way) =>
      bytesOf(rig, way, chunkedChange({ 'content-length': '5' })) + chunked([change().body ?? '']),
    'two lengths': () => change({ headers: { 'content-length': ['5', '70'] } }),
    'a coding before the chunks': (rig, way) =>
      bytesOf(rig, way, chunkedChange({ 'transfer-encoding': 'chunked, identity' })) +
      chunked([change().body ?? '']),
    'a space before the colon': (rig, way) => bytesOf(rig, way).replace('host: ', 'host : '),
    'a folded header': (rig, way) => bytesOf(rig, way).replace('host: ', 'x-a: b\r\n host: '),
    'NUL in the path': () => ({ target: '/v1/sessions/a\0b' }),
    'NUL in a header': () => headers({ 'x-a': 'b\0c' }),
    'lines without CR': (rig, way) => bytesOf(rig, way).replaceAll('\r\n', '\n'),
    'no HTTP at all': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  }),
  ...refused(431, 'headers', {
    'a huge header': () => headers({ 'x-a': 'b'.repeat(64 * 1024) }),
    'a huge path': () => ({ target: `/v1/sessions/${'a'.repeat(64 * 1024)}` }),
  }),
]

function chunkedChange(more: Parts['headers'] = {}): Parts {
  const { body: _, ...rest } = change()
  const json = { 'content-type': 'application/json', 'x-vigil': '1' }
  return { ...rest, headers: { ...json, 'transfer-encoding': 'chunked', ...more } }
}
