import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, Env } from '../../agents/agent.ts'
import { privateFolder } from '../../home/folders.ts'

/** So many files of one process id can only be left over from a daemon that is long gone. */
const SAME_PID_MAX = 100

/** As hook/report.sh writes it; what cannot be written is not, and no error is shown. */
export function spoolStatusline(folder: string, payload: Buffer, env: Env, agent: Agent): void {
  const text = Buffer.concat([Buffer.from(headOf(env, agent)), payload, Buffer.from('\n.\n')])
  try {
    privateFolder(folder)
    for (let n = 0; n <= SAME_PID_MAX && !wrote(nameIn(folder, n), text); n++);
  } catch {
    // A full disk or a foreign folder is no reason to break somebody's status line.
  }
}

function nameIn(folder: string, n: number): string {
  return join(folder, `statusline.${process.pid}${n === 0 ? '' : `.${n}`}`)
}

/** Never over another file: that is a report nobody has read yet. */
function wrote(path: string, text: Buffer): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    rmSync(path, { force: true })
    throw error
  }
}

/** These variables and those of the agent alone: the environment holds secrets. */
function headOf(env: Env, { id, hook }: Agent): string {
  const values: [string, string | undefined][] = [
    ['agent', id],
    ['ppid', String(process.ppid)],
    ['tmux', env.TMUX],
    ['tmuxPane', env.TMUX_PANE],
    ['tty', env.TTY ?? env.SSH_TTY ?? env.GPG_TTY],
    ['terminal', env.TERM_PROGRAM],
  ]
  for (const { as, variable } of hook?.notes ?? []) values.push([as, env[variable]])
  const lines = values.map(([key, value = '']) => `${key}=${firstLine(value)}`)
  return ['vigil 1', ...lines, '', ''].join('\n')
}

function firstLine(value: string): string {
  return value.split('\n', 1).join('')
}
