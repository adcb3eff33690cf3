import type { Caller } from './admit.ts'

/**
 * Which callers a route accepts:
 * `person`  the socket, or a browser that signed in: decisions for the user
 * `socket`  only the socket: routes that grant access
 * `token`   programs, on any transport, and no browser: what could run a command or forge a report
 * `anybody` callers without a key
 */
export type RequiredAccess = 'person' | 'socket' | 'token' | 'anybody'

/** SPEC DR4. Whether a route accepts this caller. By default no route accepts `anonymous`. */
export function mayCall(caller: Caller, wanted: RequiredAccess | undefined): boolean {
  if (wanted === 'anybody') return true
  if (caller.kind === 'anonymous') return false
  const overSocket = caller.kind === 'token' && caller.transport === 'unix'
  if (wanted === 'person') return overSocket || caller.kind === 'browser'
  if (wanted === 'socket') return overSocket
  return wanted === undefined || caller.kind === 'token'
}

export const FOR: Readonly<Record<RequiredAccess, string>> = {
  person: 'only the user may do this: over the socket, or in a browser signed in with `vigil open`',
  socket: 'this route is served over the socket only',
  token: 'this route needs the token; browsers may not use it',
  anybody: 'every caller may use this route',
}
