import { execFile } from 'node:child_process'
import { terminalOf } from '../../platform/process-terminal.ts'
import { pathTo } from '../../platform/programs.ts'
import type { Session } from '../../protocol/session.ts'
import { serverAt } from '../../tmux/tmux.ts'

/** tmux answers in milliseconds; one that does not counts as absent. */
const TMUX_MAX_MS = 2_000

/** How to reach a session's pane. */
export interface PaneAccess {
  readonly tmux: (args: readonly string[], input?: string) => Promise<string>
  /** Empty outside tmux. */
  readonly pane: string
}

/** The daemon may have been started without a locale: `-u` sets UTF-8. */
export function paneAccessOf({ tmuxPane, tmuxSocket }: Session): PaneAccess {
  const tmux = (args: readonly string[], input?: string) =>
    run(pathTo('tmux'), ['-u', '-N', ...serverAt(tmuxSocket ?? ''), ...args], input)
  const isPane = tmuxSocket !== null && /^%\d+$/.test(tmuxPane ?? '')
  return { tmux, pane: isPane ? (tmuxPane ?? '') : '' }
}

/**
 * SPEC PA10. Why keys sent to its pane would not reach the session: a pane's id outlives its
 * program, and a stopped client is behind a shell, which would run what is typed.
 */
export async function whyUnreached(session: Session): Promise<string | undefined> {
  const { tmux, pane } = paneAccessOf(session)
  if (pane === '') return 'the session is not in tmux'
  const format = '#{pane_id} #{pane_dead} #{pane_in_mode} #{pane_tty}'
  const said = await tmux(['display-message', '-p', '-t', pane, format])
  const [found, dead, mode, tty] = said.split(' ')
  if (found !== pane || dead !== '0') return 'its pane is closed'
  if (mode !== '0') return 'its pane is in copy mode; leave it with q'
  const seat = session.pid === null ? undefined : await terminalOf(session.pid)
  if (seat?.tty !== tty) return 'its pane runs another program'
  return seat?.inFront ? undefined : 'another program is in its foreground'
}

/** Returns an error as text instead of throwing it. */
export async function orWhy(act: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await act()
  } catch (error) {
    return `tmux: ${(error as Error).message.split('\n')[0]}`
  }
}

function run(program: string, args: readonly string[], input?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: TMUX_MAX_MS }, (error, stdout) =>
      error ? reject(error) : resolve(stdout.trimEnd()),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}
