import type { Client } from '../../client/client.ts'
import type { Session } from '../../protocol/session.ts'
import type { ViewOptions } from '../tui/view.ts'
import { listedOf, NO_SESSIONS } from './listed.ts'
import { out } from './output.ts'
import { wantsColour } from './paint.ts'
import { reach } from './reach.ts'
import { drawFleet } from './session-table.ts'

/** The live view: on a terminal until the user leaves; otherwise one frame, with the address. */
export async function live({ local = false } = {}): Promise<void> {
  const client = await reach()
  if (!hasScreen()) return once(client, local)
  const closed = await untilLeft(client, jumpFromView, local)
  if (closed) await (await import('./take-up.ts')).takeUp(closed)
  process.exit()
}

export function hasScreen({ stdin, stdout, env } = process): boolean {
  return stdout.isTTY === true && stdin.isTTY === true && env.TERM !== 'dumb'
}

async function once(client: Client, local: boolean): Promise<void> {
  const [{ address }, { sessions: all, now }] = await Promise.all([
    client.health(),
    client.sessions({ all: false }),
  ])
  const sessions = listedOf(all, local)
  const fleet = drawFleet(sessions, now, out.width, out.paint)
  const lines = [
    ...fleet,
    ...(sessions.length > 0 ? [] : NO_SESSIONS),
    '',
    `listening on ${address}`,
  ]
  out.lines(lines)
}

/** Runs until the user leaves; returns the closed session to resume, if any. */
export async function untilLeft(
  client: Client,
  jump: ViewOptions['jump'],
  local = false,
): Promise<Session | undefined> {
  const { View } = await import('../tui/view.ts')
  const { stdin, stdout } = process
  const view = new View({ client, stdin, stdout, colours: wantsColour(true), jump, local })
  // Restores the user's terminal, however this ends.
  process.on('exit', () => view.close())
  // Before the error is printed: on the view's own screen it would not be visible.
  process.on('uncaughtExceptionMonitor', () => view.close())
  for (const [signal, code] of ENDINGS) process.on(signal, () => process.exit(code))
  return view.run()
}

/** The exit codes that a shell reports for signals. */
const ENDINGS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

const jumpFromView: ViewOptions['jump'] = async (session, lend) => {
  if (!session.own) {
    const { jumpFar } = await import('./jump-far.ts')
    return jumpFar(session, { run: (program, args) => lend(() => runHere(program, args)) })
  }
  const [{ jumpTo }, { inOurPlace, takeUp }] = await Promise.all([
    import('../../tmux/jump.ts'),
    import('./take-up.ts'),
  ])
  // Outside tmux the view lends its terminal, and gets it back when the user detaches.
  const attachHere = (args: readonly string[]) => lend(() => inOurPlace('tmux', args))
  const resumeHere = () => lend(() => takeUp(session))
  return jumpTo(session, process.env, { attachHere, resumeHere })
}

async function runHere(program: string, args: readonly string[]): Promise<number> {
  const { inOurPlace } = await import('./take-up.ts')
  return inOurPlace(program, args)
}
