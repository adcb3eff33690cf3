import { includes } from '../../fleet/rights.ts'
import type { Right } from '../../protocol/constants.ts'
import type { Caller } from './admit.ts'
import type { Route } from './route.ts'

/**
 * Which callers a route accepts:
 * `person`  the socket, or a browser that signed in: decisions for the user
 * `socket`  only the socket: routes that grant access
 * `token`   programs, on any transport, and no browser: what could run a command or forge a report
 * `anybody` callers without a key
 */
export type RequiredAccess = 'person' | 'socket' | 'token' | 'anybody'

/**
 * SPEC DR4, FL120. Whether a route accepts this caller. By default no route accepts `anonymous` or
 * another machine: a route says itself what may be done from afar.
 */
export function mayCall(caller: Caller, { access: wanted, afar }: Pick<Route, 'access' | 'afar'>) {
  if (caller.kind === 'member') return afar !== undefined && includes(caller.right, afar)
  if (wanted === 'anybody') return true
  if (caller.kind === 'anonymous') return false
  const overSocket = caller.kind === 'token' && caller.transport === 'unix'
  if (wanted === 'person') return overSocket || caller.kind === 'browser'
  if (wanted === 'socket') return overSocket
  return wanted === undefined || caller.kind === 'token'
}

/** Why a route does not accept the caller. */
export function refusalOf(
  caller: Caller,
  { access, afar }: Pick<Route, 'access' | 'afar'>,
): string {
  if (caller.kind !== 'member') return FOR[access ?? 'person']
  if (afar === undefined) return 'this cannot be done from another machine'
  return `that machine lets this one ${WORDS[caller.right]}: see \`vigil fleet allow\` there`
}

const WORDS: Readonly<Record<Right, string>> = {
  nothing: 'do nothing',
  look: 'look, not to act',
  answer: 'answer requests, not to type',
  type: 'answer and type',
}

const FOR: Readonly<Record<RequiredAccess, string>> = {
  person: 'only the user may do this: over the socket, or in a browser signed in with `vigil open`',
  socket: 'this route is served over the socket only',
  token: 'this route needs the token; browsers may not use it',
  anybody: 'every caller may use this route',
}
