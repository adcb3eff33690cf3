import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, Env } from '../../agents/agent.ts'
import { privateFolder } from '../../home/folders.ts'

/** This many files of one process id can only be leftovers of a daemon that is long gone. */
const SAME_PID_MAX = 100

/** In the format of hook/report.sh. If it cannot be written, no error is shown. */
export function spoolStatusline(folder: string, payload: Buffer, env: Env, agent: Agent): void {
  const text = Buffer.concat([Buffer.from(headOf(env, agent)), payload, Buffer.from('\n.\n')])
  try {
    privateFolder(folder)
    for (let n = 0; n <= SAME_PID_MAX && !wrote(nameIn(folder, n), text); n++);
  } catch {
    // A full disk or a foreign folder must not break the user's status line.
  }
}

function nameIn(folder: string, n: number): string {
  return join(folder, `statusline.${process.pid}${n === 0 ? '' : `.${n}`}`)
}

/** Never overwrites a file: it is a report that was not read yet. */
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

/** Only these variables and the agent's own: the environment contains secrets. */
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
