import { SETTINGS } from '../../home/settings-schema.ts'
import { TmuxServer } from '../../tmux/server.ts'
import { socketsOf } from '../../tmux/servers.ts'
import { NOTHING_WRITTEN, plan } from './plan.ts'
import { READ, seenIn } from './reading.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Restores what a killed vigil left in servers; returns how many had something. */
export async function sweep(sockets: readonly string[], env: Env): Promise<number> {
  const all = new Set([...socketsOf(env), ...sockets])
  const swept = await Promise.all([...all].map((socket) => sweepOne(socket).catch(() => false)))
  return swept.filter(Boolean).length
}

async function sweepOne(socket: string): Promise<boolean> {
  const server = new TmuxServer(socket)
  const seen = seenIn(await server.ask(READ), undefined)
  const { commands } = plan({
    seen,
    sessions: [],
    autos: new Map(),
    segment: '',
    settings: SETTINGS.parse({}).tmux,
    before: NOTHING_WRITTEN,
    now: 0,
  })
  if (commands.length > 0) await server.ask(commands.join(' ; '))
  return commands.length > 0
}
