import type { Caller } from './admit.ts'

/**
 * Whom a route is for:
 * `person`  the socket, or a browser that signed in: what decides for its user
 * `socket`  the socket alone: what gives others a way in
 * `token`   programs, over whatever way, and no browser: what could run a command or forge a report
 * `anybody` who has nothing yet
 */
export type RequiredAccess = 'person' | 'socket' | 'token' | 'anybody'

/** SPEC DR4. Whether a route is for who asks. `nobody` is no one a route is for by default. */
export function may(who: Caller, wanted: RequiredAccess | undefined): boolean {
  if (wanted === 'anybody') return true
  if (who.kind === 'nobody') return false
  const overSocket = who.kind === 'token' && who.transport === 'unix'
  if (wanted === 'person') return overSocket || who.kind === 'browser'
  if (wanted === 'socket') return overSocket
  return wanted === undefined || who.kind === 'token'
}

export const FOR: Readonly<Record<RequiredAccess, string>> = {
  person: 'this is for its user: over the socket, or in a browser signed in by `vigil open`',
  socket: 'this is asked over the socket, and by no other way',
  token: 'this is for programs that have the token, and for no browser',
  anybody: 'this is for anybody',
}
