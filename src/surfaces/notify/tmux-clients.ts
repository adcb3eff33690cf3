import type { Env } from '../../agents/agent.ts'
import { serverAt } from '../../tmux/tmux.ts'
import { run } from './program.ts'

/** A terminal that shows a tmux server. */
export interface TmuxClient {
  readonly tty: string
  /** The terminal's own name, as far as tmux knows it. */
  readonly terminal: string
  readonly isFocused: boolean
  readonly activeAt: number
  /** The pane with the cursor. */
  readonly pane: string
}

const FIELDS = [
  'client_control_mode',
  'client_flags',
  'client_activity',
  'client_tty',
  'client_termname',
  'client_termtype',
  'pane_id',
]
const FORMAT = FIELDS.map((field) => `#{${field}}`).join('\t')

/** Clients that a person uses; empty if the server is gone. */
export async function clientsOf(
  socket: string,
  env: Env,
  signal: AbortSignal,
): Promise<readonly TmuxClient[]> {
  const said = await tmux(socket, ['list-clients', '-F', FORMAT], env, signal)
  return (said ?? '').split('\n').flatMap((line) => {
    const [control, flags = '', activity, tty = '', name = '', type = '', pane] = line.split('\t')
    if (control !== '0' || pane === undefined) return []
    return {
      tty,
      terminal: `${type} ${name}`.trim(),
      isFocused: flags.split(',').includes('focused'),
      activeAt: Number(activity) * 1000,
      pane,
    }
  })
}

/** Pane → the terminal of the programs in it. */
export async function panesOf(
  socket: string,
  env: Env,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const said = await tmux(socket, ['list-panes', '-a', '-F', '#{pane_id} #{pane_tty}'], env, signal)
  const lines = (said ?? '').split('\n').map((line) => line.split(' '))
  return new Map(lines.flatMap(([pane, tty]) => (pane && tty ? [[pane, tty] as const] : [])))
}

async function tmux(socket: string, args: readonly string[], env: Env, signal: AbortSignal) {
  const { TMUX: _inside, ...outside } = env
  const given = ['-u', ...serverAt(socket), ...args]
  const ran = await run('tmux', given, { env: outside, signal }).catch(() => undefined)
  return ran?.code === 0 ? ran.stdout : undefined
}
