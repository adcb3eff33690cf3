import { TmuxServer } from '../../tmux/server.ts'
import { socketsOf } from '../../tmux/servers.ts'
import { READ, type Seen, seenIn } from './reading.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A server that answers, and what it shows. */
export interface ServerState {
  readonly socket: string
  readonly version: string
  readonly seen: Seen
  /** Windows that vigil names at present, and those that the user renamed meanwhile. */
  readonly named: number
  readonly byHand: number
}

/** Every server of this user that answers: at tmux's usual sockets, and at these. */
export async function serverStates(
  env: Env,
  sockets: readonly string[] = [],
): Promise<readonly ServerState[]> {
  const all = [...new Set([...socketsOf(env), ...sockets])]
  const states = await Promise.all(all.map((socket) => stateOf(socket).catch(() => undefined)))
  return states.filter((state) => state !== undefined)
}

async function stateOf(socket: string): Promise<ServerState> {
  const server = new TmuxServer(socket)
  const [version = '', ...lines] = await server.ask(`display-message -p '#{version}' ; ${READ}`)
  const seen = seenIn(lines, undefined)
  const windows = [...seen.windows.values()]
  return {
    socket,
    version,
    seen,
    named: windows.filter(({ held }) => held !== undefined).length,
    byHand: windows.filter(({ byHand }) => byHand).length,
  }
}

/** Whether it contains anything of vigil's. */
export function isTouched({ named, byHand, seen }: ServerState): boolean {
  const marked = [...seen.windows.values()].some(({ marked, style }) => marked || style !== '')
  return named + byHand > 0 || marked || seen.segment !== ''
}
