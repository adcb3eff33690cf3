import type { SessionName } from '../../protocol/address.ts'
import type { DaemonApi } from '../daemon-api.ts'
import { Problem } from '../problem.ts'

type Machine = Pick<DaemonApi, 'machine' | 'host'>

/** SPEC MA6. The id of a session on this machine; refuses a session of another machine. */
export function localId({ machine, host }: Machine, name: SessionName, field = 'id'): string {
  if (name.machine === undefined || name.machine === machine) return name.session
  const message = `${field}: is on machine ${name.machine}; this is ${machine} (${host})`
  throw new Problem(404, message, field)
}

/** The same for a filter, which may name no session. */
export function localFilter<T extends { readonly session?: SessionName | undefined }>(
  machine: Machine,
  { session, ...rest }: T,
): Omit<T, 'session'> & { readonly session?: string } {
  return session ? { ...rest, session: localId(machine, session, 'query.session') } : rest
}
