import { execFile } from 'node:child_process'
import { pathTo } from '../home/programs.ts'

/** tmux refused, failed, or is not there; the message is its own. */
export class TmuxError extends Error {
  override readonly name = 'TmuxError'
  /** There is no tmux on this machine. */
  readonly missing: boolean

  constructor(message: string, missing = false) {
    super(message)
    this.missing = missing
  }
}

const RUN_MAX_MS = 3_000
const OUTPUT_MAX_BYTES = 16_000_000

/** Runs a command line in the server at `socket`, in the language of its configuration file. */
export function runTmux(socket: string, line: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const args = ['-u', '-N', '-S', socket, 'source-file', '-']
    const options = { timeout: RUN_MAX_MS, maxBuffer: OUTPUT_MAX_BYTES, env: childEnv() }
    const child = execFile(pathTo('tmux'), args, options, (error, stdout, stderr) => {
      if (!error) resolve(linesOf(stdout))
      else reject(new TmuxError(firstLine(stderr) || error.message, error.code === 'ENOENT'))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(`${line}\n`)
  })
}

/** Nothing of ours is to reach a session, and we may have been started within one. */
export function childEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMUX_TMPDIR } = process.env
  return { PATH, HOME, ...(TMUX_TMPDIR && { TMUX_TMPDIR }) }
}

function linesOf(output: string): string[] {
  return output === '' ? [] : output.replace(/\n$/, '').split('\n')
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}
