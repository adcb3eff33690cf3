import { execFile } from 'node:child_process'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathTo } from '../platform/programs.ts'

/** tmux refused, failed, or is not installed; the message is tmux's own. */
export class TmuxError extends Error {
  override readonly name = 'TmuxError'
  /** tmux is not installed. */
  readonly missing: boolean

  constructor(message: string, missing = false) {
    super(message)
    this.missing = missing
  }

  /** The server has ended, and left its socket behind. */
  get isGone(): boolean {
    return this.message.startsWith('no server running on ')
  }
}

const RUN_MAX_MS = 3_000
const OUTPUT_MAX_BYTES = 16_000_000

/** Runs a command line in the server at `socket`, in the language of tmux's configuration file. */
export function runTmux(socket: string, line: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const args = ['-u', '-N', ...serverAt(socket), 'source-file', '-']
    const options = { timeout: RUN_MAX_MS, maxBuffer: OUTPUT_MAX_BYTES, env: childEnv() }
    const child = execFile(pathTo('tmux'), args, options, (error, stdout, stderr) => {
      if (!error) resolve(linesOf(stdout))
      else reject(new TmuxError(firstLine(stderr) || error.message, error.code === 'ENOENT'))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(`${line}\n`)
  })
}

/**
 * SPEC BR10. The option that names a server. An agent names its server's socket: a socket of
 * another user is refused, because its owner would read the commands and answer at will.
 */
export function serverAt(socket: string): readonly ['-S', string] {
  const path = realOf(socket)
  const isForeign = existsSync(path) && ownSocketMark(path) === undefined
  return ['-S', isForeign ? '/nonexistent/tmux' : path]
}

/**
 * Identifies a socket of this user, to notice that another took its place; undefined for any other
 * file.
 */
export function ownSocketMark(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isSocket() || found.uid !== (process.getuid?.() ?? found.uid)) return undefined
  return `${found.dev}:${found.ino}:${found.birthtimeMs}`
}

/** Infinity: it is gone, or its time means nothing. */
export function socketAgeMs(path: string): number {
  const madeAt = lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.NEGATIVE_INFINITY
  const ageMs = Date.now() - madeAt
  return ageMs >= 0 ? ageMs : Number.POSITIVE_INFINITY
}

/** A session names its socket as its client saw it, perhaps through a link. */
export function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path))
    } catch {
      return path
    }
  }
}

/** vigil's own tmux variables must not reach a session, and vigil may run within one. */
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
