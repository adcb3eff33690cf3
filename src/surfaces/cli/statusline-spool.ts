import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder } from '../../home/folders.ts'

type Env = Readonly<Record<string, string | undefined>>

/** So many files of one process id can only be left over from a daemon that is long gone. */
const SAME_PID_MAX = 100

/** As hook/report.sh writes it; what cannot be written is not, and nobody is told. */
export function spoolStatusline(folder: string, payload: Buffer, env: Env): void {
  if (!isObject(payload)) return
  const text = Buffer.concat([Buffer.from(headOf(env)), payload, Buffer.from('\n.\n')])
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

/** These variables and no others: the environment holds secrets. */
function headOf(env: Env): string {
  const values = {
    ppid: String(process.ppid),
    claudePid: env.CLAUDE_PID,
    tmux: env.TMUX,
    tmuxPane: env.TMUX_PANE,
    tty: env.TTY ?? env.SSH_TTY ?? env.GPG_TTY,
    terminal: env.TERM_PROGRAM,
    configDir: env.CLAUDE_CONFIG_DIR,
  }
  const lines = Object.entries(values).map(([key, value = '']) => `${key}=${firstLine(value)}`)
  return ['vigil 1', ...lines, '', ''].join('\n')
}

function firstLine(value: string): string {
  return value.split('\n', 1).join('')
}

/** What is no JSON object could only be set aside by its reader. */
function isObject(payload: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(payload.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
