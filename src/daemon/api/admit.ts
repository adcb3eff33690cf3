import { timingSafeEqual } from 'node:crypto'
import type { Right } from '../../protocol/constants.ts'
import { type Endpoint, requestAddress, secretHash } from './endpoint.ts'

/** A request as received, before any parsing. */
export interface IncomingRequest {
  readonly method: string
  /** The request's target exactly as in its first line. */
  readonly target: string
  /** By lower-case name. A header that was sent twice has two values. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
}

/** What sent the request. `anonymous` may only get the page's files and sign in. */
export type Caller =
  | { readonly kind: 'token'; readonly transport: Endpoint['transport'] }
  | { readonly kind: 'browser'; readonly id: string; readonly name: string }
  | MemberCaller
  | { readonly kind: 'anonymous' }

/** SPEC FL120. Another machine of the fleet, and what it may do here. */
export interface MemberCaller {
  readonly kind: 'member'
  readonly machine: string
  readonly name: string
  readonly right: Right
}

export type Reason =
  | 'upgrade'
  | 'host'
  | 'origin'
  | 'site'
  | 'method'
  | 'target'
  | 'body'
  | 'media'
  | 'header'
  | 'query'
  | 'token'

export type Admission =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly status: number; readonly reason: Reason }

type Check = (incoming: IncomingRequest, endpoint: Endpoint) => number

/**
 * SPEC P1, DR1. Decides about every request on every transport, upgrades included. No header
 * switches a check off, no path is exempt: each of the known holes in local servers was such an
 * exception. A browser that has not signed in has no key: it gets only what holds no secret.
 */
export function admit(incoming: IncomingRequest, endpoint: Endpoint): Admission {
  for (const [reason, check] of CHECKS) {
    const status = check(incoming, endpoint)
    if (status !== PASS) return { ok: false, status, reason }
  }
  const caller = callerOf(incoming, endpoint)
  return caller ? { ok: true, caller } : { ok: false, status: 401, reason: 'token' }
}

const PASS = 0

/** The addressee is checked before the caller: a page that rebinds a name must reach no further. */
const CHECKS: readonly (readonly [Reason, Check])[] = [
  ['upgrade', asksUpgrade],
  ['host', namesHost],
  ['origin', comesFrom],
  ['site', comesAcross],
  ['method', hasMethod],
  ['target', hasTarget],
  ['body', carriesBody],
  ['media', speaksJson],
  ['header', marksChange],
  ['query', keepsSecrets],
]

/** Middleware for requests does not run for upgrades, and no upgrade is supported here. */
function asksUpgrade({ method, headers }: IncomingRequest): number {
  const hop = valuesOf(headers, 'connection').some((value) =>
    /(^|,)\s*upgrade\s*(,|$)/i.test(value),
  )
  return method === 'CONNECT' || headers.upgrade !== undefined || hop ? 403 : PASS
}

function namesHost({ headers }: IncomingRequest, endpoint: Endpoint): number {
  const [host, second] = valuesOf(headers, 'host')
  if (host === undefined || second !== undefined) return 400
  return requestAddress(host, endpoint) ? PASS : 403
}

/**
 * The origin that belongs to its Host, and never "the same as Host": a rebound name matches that.
 */
function comesFrom({ headers }: IncomingRequest, endpoint: Endpoint): number {
  const [origin, second] = valuesOf(headers, 'origin')
  if (second !== undefined) return 403
  const own = requestAddress(valuesOf(headers, 'host')[0], endpoint)?.origin
  return origin === undefined || origin === own ? PASS : 403
}

function comesAcross(incoming: IncomingRequest): number {
  const sites = valuesOf(incoming.headers, 'sec-fetch-site')
  const isOwn = sites.every((site) => site === 'same-origin' || site === 'none')
  return isOwn || (sites.length === 1 && followsLink(incoming)) ? PASS : 403
}

/**
 * SPEC DR17. A link in a message leads to the page and to nothing else: what is served there holds
 * no secret, has no side effect when opened, and cannot be framed.
 */
function followsLink({ method, target, headers }: IncomingRequest): boolean {
  const [mode, dest] = ['sec-fetch-mode', 'sec-fetch-dest'].map((name) => valuesOf(headers, name))
  const isWhole = mode?.join() === 'navigate' && dest?.join() === 'document'
  return method === 'GET' && target === '/' && headers.authorization === undefined && isWhole
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE'])

/** OPTIONS is missing on purpose: an unanswered preflight is a refused one. */
function hasMethod({ method }: IncomingRequest): number {
  return METHODS.has(method) ? PASS : 405
}

/**
 * A URL parser resolves dot segments, encoded ones too, and an absolute target has its own host.
 * Both are refused before any parser sees them.
 */
function hasTarget({ target }: IncomingRequest): number {
  if (!/^\/[\x21-\x7e]*$/.test(target) || /[\\#]/.test(target)) return 400
  const segments = targetPath(target).split('/').slice(1)
  for (const segment of segments) {
    const decoded = decode(segment)
    if (decoded === undefined) return 400
    if (decoded === '.' || decoded === '..') return 404
  }
  return PASS
}

/** A POST without a body needs no preflight, and two lengths are two readings of one request. */
function carriesBody(incoming: IncomingRequest): number {
  const lengths = valuesOf(incoming.headers, 'content-length')
  const codings = valuesOf(incoming.headers, 'transfer-encoding')
  if (lengths.length + codings.length > 1) return 400
  const [length] = lengths
  const [coding] = codings
  if (!changes(incoming)) return coding === undefined && (length ?? '0') === '0' ? PASS : 400
  if (coding !== undefined) return coding === 'chunked' ? PASS : 400
  return length !== undefined && /^[1-9][0-9]*$/.test(length) ? PASS : 411
}

function speaksJson(incoming: IncomingRequest): number {
  if (!changes(incoming)) return PASS
  const types = valuesOf(incoming.headers, 'content-type')
  const [type = ''] = types
  const json = /^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type)
  return types.length === 1 && json ? PASS : 415
}

/** No form and no link can set a custom header. */
function marksChange(incoming: IncomingRequest): number {
  if (!changes(incoming)) return PASS
  const marks = valuesOf(incoming.headers, 'x-vigil')
  return marks.length === 1 && marks[0] === '1' ? PASS : 403
}

const SECRET_NAMES = new Set(['token', 'access_token', 'key', 'auth', 'code'])

/** By shape: a comparison with the real token here would leak through its timing. */
const SECRET_SHAPE = /[0-9a-f]{64}/i

/** Queries end up in histories and logs: a token there is refused even if it is valid. */
function keepsSecrets({ target }: IncomingRequest): number {
  const query = new URLSearchParams(target.slice(targetPath(target).length))
  for (const [name, value] of query)
    if (SECRET_NAMES.has(name.toLowerCase()) || SECRET_SHAPE.test(name + value)) return 400
  return PASS
}

/** Where a one-time code is exchanged for a key: the caller has none yet. */
export const SIGN_IN = '/v1/browsers/sign-in'

function callerOf(incoming: IncomingRequest, endpoint: Endpoint): Caller | undefined {
  const [given, second] = valuesOf(incoming.headers, 'authorization')
  if (given === undefined) return isPublic(incoming, endpoint) ? { kind: 'anonymous' } : undefined
  // A wrong key is refused even where none is needed: it must not seem to work.
  const [, key] = /^Bearer (b?[0-9a-f]{64})$/.exec(given) ?? []
  if (key === undefined || second !== undefined) return undefined
  const { transport, tokenHash, browsers } = endpoint
  // A token may begin with the digit b; a browser's key has a letter more.
  if (key.length > TOKEN_LENGTH) {
    const origin = originOf(incoming, endpoint)
    const known = origin === null ? undefined : browsers?.byKey(key, origin)
    return known && { kind: 'browser', id: known.id, name: known.name }
  }
  return timingSafeEqual(secretHash(key), tokenHash) ? { kind: 'token', transport } : undefined
}

const TOKEN_LENGTH = 64

function isPublic(incoming: IncomingRequest, endpoint: Endpoint): boolean {
  const { browsers, page, home } = endpoint
  const path = targetPath(incoming.target)
  if (asksForWorker(incoming)) return page !== undefined
  // SPEC OC1. Under the usual names of this machine a browser only gets the page's address.
  if (originOf(incoming, endpoint) === null)
    return home !== undefined && path === '/' && !changes(incoming)
  if (!changes(incoming)) return page?.has(path) ?? false
  return browsers !== undefined && incoming.method === 'POST' && path === SIGN_IN
}

/** SPEC OC8. A browser asks for the script of a service worker; no page can set this header. */
export function asksForWorker({ method, headers }: IncomingRequest): boolean {
  return method === 'GET' && valuesOf(headers, 'service-worker').join() === 'script'
}

/** The page's origin under the requested Host; null where no page is served. */
function originOf({ headers }: IncomingRequest, endpoint: Endpoint): string | null {
  return requestAddress(valuesOf(headers, 'host')[0], endpoint)?.origin ?? null
}

/** A header as one text. */
export function headerOf({ headers }: Pick<IncomingRequest, 'headers'>, name: string) {
  return headers[name]?.join(', ')
}

function valuesOf(headers: IncomingRequest['headers'], name: string): readonly string[] {
  return headers[name] ?? []
}

function changes({ method }: IncomingRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

export function targetPath(target: string): string {
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
