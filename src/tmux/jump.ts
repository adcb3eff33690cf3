import { shellWord } from '../core/shell-word.ts'
import { detachedLine } from '../core/words.ts'
import { pathTo } from '../platform/programs.ts'
import type { Session } from '../protocol/session.ts'
import { tmuxQuoted } from './quote.ts'
import { realOf, runTmux, serverAt } from './tmux.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface JumpOptions {
  /**
   * The terminal that should show the pane, by tmux's name; by default the terminal of the caller.
   */
  readonly client?: string
  /**
   * Used outside tmux if no client is attached: attaches in this terminal and returns the exit
   * code.
   */
  readonly attachHere?: (args: readonly string[]) => Promise<number>
  /** Used outside tmux: attaches a detached session in this terminal. */
  readonly resumeHere?: () => Promise<undefined>
}

/**
 * Shows the user the pane of a session: in another window, another session, or another server.
 * Returns why it failed, in words; nothing on success.
 */
export async function jumpTo(
  session: Session,
  env: Env,
  options: JumpOptions = {},
): Promise<string | undefined> {
  const { tmuxPane: pane, tmuxSocket: socket } = session
  if (session.detached) return giveTerminal(session, env, options)
  if (pane === null || socket === null) return `the session is not in tmux${atTerminal(session)}`
  if (!/^%\d+$/.test(pane)) return `${pane} is not a tmux pane`
  try {
    const [found] = await runTmux(socket, `display-message -p -t ${tmuxQuoted(pane)} '#{pane_id}'`)
    if (found !== pane) return 'its pane is closed'
    return await show({ pane, socket }, env, options)
  } catch (error) {
    return `tmux: ${(error as Error).message}`
  }
}

/** SPEC TM36. */
async function giveTerminal(
  session: Session,
  env: Env,
  { client, resumeHere }: JumpOptions,
): Promise<string | undefined> {
  const { attach, cwd } = session
  const { here, inSession } = placeIn(env)
  if (attach === null || (here === '' && !resumeHere)) return detachedLine(session) ?? undefined
  if (here === '') return resumeHere?.()
  const folder = cwd === null ? '' : ` -c ${tmuxQuoted(cwd)}`
  const window = `new-window -P -F '#{pane_id}' -t ${tmuxQuoted(`${inSession}:`)}${folder}`
  try {
    const [pane = ''] = await runTmux(here, `${window} ${tmuxQuoted(`exec ${attach}`)}`)
    await switchTo({ pane, socket: here }, client ?? (await clientIn(here, inSession)))
    return undefined
  } catch (error) {
    return `tmux: ${(error as Error).message}`
  }
}

/** The caller's tmux server and session; empty outside tmux. */
function placeIn({ TMUX = '' }: Env) {
  const [here = '', , session = ''] = TMUX.split(',')
  return { here, inSession: `$${session}` }
}

interface Target {
  readonly pane: string
  readonly socket: string
}

async function show(to: Target, env: Env, options: JumpOptions): Promise<string | undefined> {
  const { here, inSession } = placeIn(env)
  if (here === '') return showOutside(to, options)
  const client = options.client ?? (await clientIn(here, inSession))
  if (sameFile(here, to.socket)) await switchTo(to, client)
  else if (client === undefined) return `no terminal is attached to ${here}, where this was called`
  else await change(here, client, to, inSession)
  return undefined
}

/**
 * Shows the pane in a terminal that is attached to its server; without one, this terminal attaches.
 */
async function showOutside(to: Target, { client, attachHere }: JumpOptions) {
  const there = client ?? (await clientIn(to.socket))
  if (there !== undefined) return switchTo(to, there)
  const args = ['-u', ...serverAt(to.socket), 'attach-session', '-t', to.pane]
  if (!attachHere)
    return `no terminal is attached to its tmux server; run: tmux ${args.slice(1).join(' ')}`
  const code = await attachHere(args)
  return code === 0 ? undefined : `tmux could not attach (exit code ${code})`
}

/** Without a terminal to switch, the pane is selected for the next client that attaches. */
async function switchTo({ pane, socket }: Target, client: string | undefined): Promise<undefined> {
  const select = `select-window -t ${tmuxQuoted(pane)} ; select-pane -Z -t ${tmuxQuoted(pane)}`
  const through = `switch-client -Z -c ${tmuxQuoted(client ?? '')} -t ${tmuxQuoted(pane)}`
  await runTmux(socket, client === undefined ? select : through)
}

/**
 * A terminal shows one server at a time, and no server within another: it leaves this server for
 * the other, and returns when it detaches there.
 */
async function change(here: string, client: string, to: Target, back: string): Promise<void> {
  // A shell runs it with the PATH of the user who attached (SPEC PF5).
  const tmux = shellWord(pathTo('tmux'))
  const go = `${tmux} -u -S ${shellWord(to.socket)} attach-session -t '${to.pane}'`
  const comeBack = `${tmux} -u -S ${shellWord(here)} attach-session -t '${back}'`
  const command = tmuxQuoted(`${go} ; exec ${comeBack}`)
  await runTmux(here, `detach-client -t ${tmuxQuoted(client)} -E ${command}`)
}

/** The attached terminal that was used last. */
async function clientIn(socket: string, session?: string): Promise<string | undefined> {
  const format = '#{client_control_mode} #{client_activity} #{session_id} #{client_name}'
  const of = session === undefined ? '' : ` -t ${tmuxQuoted(session)}`
  const lines = await runTmux(socket, `list-clients${of} -F ${tmuxQuoted(format)}`)
  const clients = lines
    .map((line) => line.split(' '))
    .filter(([control]) => control === '0')
    .toSorted(([, a], [, b]) => Number(b) - Number(a))
  return clients[0]?.slice(3).join(' ')
}

function atTerminal({ tty, terminal }: Session): string {
  const where = tty ?? terminal
  return where === null ? '' : `; it runs in ${where}`
}

function sameFile(a: string, b: string): boolean {
  return a === b || realOf(a) === realOf(b)
}
