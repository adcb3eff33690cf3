import { fstatSync } from 'node:fs'
import { isHoldId } from '../../client/holder.ts'

/** Listening sockets that were open before this process began. */
export interface GivenSockets {
  readonly fds: readonly number[]
  /** The name of the hold, or what a socket unit calls them. */
  readonly id: string
  /** True for vigil's own holder; a socket unit keeps them without one. */
  readonly byHolder: boolean
}

const NAMES = ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'] as const

/** The first socket in systemd's protocol; the second is for IPv6. */
const FIRST_FD = 3
const FDS_MAX = 2

/**
 * SPEC OC3. The sockets that a holder, or a socket unit of systemd, passed to this process. The
 * variables are removed from the environment: children must not inherit them.
 */
export function takeGivenSockets(
  env: Record<string, string | undefined>,
): GivenSockets | undefined {
  const [pid, count, names = ''] = NAMES.map((name) => env[name])
  for (const name of NAMES) delete env[name]
  const given = Number(count)
  if (pid !== String(process.pid) || !(given >= 1 && given <= FDS_MAX)) return undefined
  const fds = Array.from({ length: given }, (_, at) => FIRST_FD + at)
  const [id = ''] = names.split(':')
  return fds.every(isSocket) ? { fds, id, byHolder: isHoldId(id) } : undefined
}

function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket()
  } catch {
    return false
  }
}
