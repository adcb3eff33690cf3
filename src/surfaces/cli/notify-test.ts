import { spawnSync } from 'node:child_process'
import { pathTo } from '../../platform/programs.ts'
import { channelOf } from '../notify/channels/make.ts'
import { CUT_OFF_MS } from '../notify/limits.ts'
import { type TerminalPlace, testMessage } from '../notify/message.ts'
import { leavesMachine } from '../notify/sender.ts'
import type { ChannelSettings } from '../notify/settings.ts'
import { BadInput } from './bad-input.ts'
import { refuseForbidden } from './forbidden.ts'
import { notifySettings } from './notify-settings.ts'
import { err, out } from './output.ts'

/**
 * Sent from this process and not by the daemon: errors are printed at once, and no rule holds the
 * message back.
 */
export async function test(name: string | undefined): Promise<void> {
  const { settings, faults } = notifySettings()
  for (const fault of faults) err.line(`vigil: ${fault}`)
  const channels = settings.channels.filter((one) => name === undefined || one.name === name)
  if (channels.length === 0)
    throw new BadInput(
      name === undefined
        ? 'no channel; `vigil notify on` adds the default'
        : `channel ${name}: no such channel; \`vigil notify status\` lists them`,
    )
  if (channels.some(({ kind }) => leavesMachine(kind))) refuseForbidden('channels')
  const paint = out.paint
  const told = await Promise.all(
    channels.map(async (channel) => {
      const fault = await faultOf(channel)
      const words = fault === undefined ? 'told' : fault
      const mark = fault === undefined ? paint('green', '✓') : paint('red', '✗')
      out.line(`${mark} ${channel.name.padEnd(12)} ${words}`)
      return fault === undefined
    }),
  )
  // An abandoned connection would keep the process alive.
  process.exit(told.every((one) => one) && faults.length === 0 ? 0 : 1)
}

async function faultOf(settings: ChannelSettings): Promise<string | undefined> {
  const place = placeOf(process.env)
  if (settings.kind === 'terminal' && place.tty === null && place.tmuxSocket === null)
    return 'this command has no terminal to show a notification in'
  const signal = AbortSignal.timeout(CUT_OFF_MS)
  const late = new Promise<string>((resolve) =>
    signal.addEventListener('abort', () => resolve(`gave no answer within ${CUT_OFF_MS / 1000} s`)),
  )
  const message = testMessage(`test-${Date.now().toString(36)}`, Date.now(), place)
  const channel = channelOf(settings, { env: process.env, now: Date.now })
  const sent = channel.send(message, signal).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return Promise.race([sent, late])
}

/** The terminal of this command. */
function placeOf(env: NodeJS.ProcessEnv): TerminalPlace {
  const [socket] = env.TMUX?.split(',') ?? []
  const { stdout } = spawnSync(pathTo('tty'), {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
  const tty = stdout?.trim() ?? ''
  const kitty = env.KITTY_WINDOW_ID ? 'kitty' : ''
  return {
    tmuxSocket: socket ?? null,
    tmuxPane: env.TMUX_PANE ?? null,
    pid: null,
    tty: tty.startsWith('/dev/') ? tty : null,
    terminal: `${kitty} ${env.TERM_PROGRAM ?? ''} ${env.TERM ?? ''}`.trim(),
  }
}
