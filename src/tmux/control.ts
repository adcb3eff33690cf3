import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { pathTo } from '../platform/programs.ts'
import { tmuxQuoted } from './quote.ts'
import { type ControlMessage, ControlReader } from './reader.ts'
import { childEnv, serverAt, TmuxError } from './tmux.ts'

/** tmux answers in milliseconds; after this time its server counts as stopped or gone. */
const ANSWER_MAX_MS = 5_000
/** More open commands than this mean that the caller is faster than tmux. */
const ASKED_MAX = 1_000

export interface ControlListener {
  readonly onNotice: (name: string, rest: string) => void
  /** The client has detached, was detached by another, or its server ended. */
  readonly onEnd: () => void
}

interface Asked {
  readonly end: string
  readonly lines: string[]
  readonly resolve: (lines: readonly string[]) => void
  readonly reject: (error: Error) => void
  failure: string | undefined
}

const OWN_PIDS = new Set<number>()

/** True for a control client of this process. */
function isOwnClient(pid: number): boolean {
  return OWN_PIDS.has(pid)
}

/**
 * SPEC TM6. A client as vigil attaches it, of this process or of another vigil: otherwise two
 * vigils would each stay attached because of the other. A user's control client (iTerm2) has a
 * size.
 */
export function isNoUser(pid: string, flags: string): boolean {
  const set = new Set(flags.split(','))
  return isOwnClient(Number(pid)) || (set.has('control-mode') && set.has('ignore-size'))
}

/**
 * One client in control mode. How it attaches, each option found by trying on 3.3a:
 * - `-N`: attach would start a server on a dead socket, and run the user's configuration.
 * - `-E`: attach overwrites the session's environment (DISPLAY, SSH_AUTH_SOCK) with the client's.
 * - `ignore-size`: tmux resizes no window for this client; `no-output`: it sends no pane's output.
 * - not `read-only`: it forbids nothing to a control client, so it would only claim to.
 * - `-u`: without it names have `_` for every letter that is not ASCII.
 */
export class ControlClient {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #listener: ControlListener
  readonly #reader = new ControlReader()
  readonly #asked: Asked[] = []
  #count = 0
  #ended = false
  #timer: NodeJS.Timeout | undefined

  constructor(socket: string, session: string, listener: ControlListener) {
    this.#listener = listener
    const args = ['-u', '-N', ...serverAt(socket), '-C', 'attach-session', '-E', '-t', session]
    this.#child = spawn(pathTo('tmux'), [...args, '-f', 'no-output,ignore-size'], {
      env: childEnv(),
    })
    if (this.#child.pid !== undefined) OWN_PIDS.add(this.#child.pid)
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#hear(chunk))
    this.#child.stderr.resume()
    this.#child.stdin.on('error', () => this.#end())
    this.#child.once('error', () => this.#end())
    this.#child.once('close', () => this.#end())
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** The output of a command line. Rejects on any error in it, after the rest of the line ran. */
  ask(line: string): Promise<readonly string[]> {
    if (this.#ended) return Promise.reject(new TmuxError('its tmux client has ended'))
    if (this.#asked.length >= ASKED_MAX) return Promise.reject(new TmuxError('does not keep up'))
    this.#count += 1
    const end = `vigil-end-${this.#count}`
    const answer = new Promise<readonly string[]>((resolve, reject) => {
      this.#asked.push({ end, lines: [], resolve, reject, failure: undefined })
    })
    // Each command gives one block, also within braces, and an error ends its list. So a line of
    // its own marks the end of an answer.
    this.#child.stdin.write(`${line}\ndisplay-message -p ${tmuxQuoted(end)}\n`)
    this.#timer ??= setTimeout(() => this.close(), ANSWER_MAX_MS)
    return answer
  }

  close(): void {
    this.#child.stdin.end()
    this.#child.kill()
    this.#end()
  }

  #hear(chunk: string): void {
    for (const said of this.#reader.read(chunk)) this.#said(said)
  }

  #said(said: ControlMessage): void {
    if (this.#ended) return
    if (said.kind === 'notice') {
      this.#listener.onNotice(said.name, said.rest)
      return
    }
    const [asked] = this.#asked
    if (!asked) return
    if (said.lines.length === 1 && said.lines[0] === asked.end) this.#answered(asked)
    else if (said.failed) asked.failure ??= said.lines.join(' ')
    else asked.lines.push(...said.lines)
  }

  #answered(asked: Asked): void {
    this.#asked.shift()
    clearTimeout(this.#timer)
    const left = this.#asked.length > 0
    this.#timer = left ? setTimeout(() => this.close(), ANSWER_MAX_MS) : undefined
    if (asked.failure === undefined) asked.resolve(asked.lines)
    else asked.reject(new TmuxError(asked.failure))
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    OWN_PIDS.delete(this.#child.pid ?? 0)
    for (const { reject } of this.#asked.splice(0))
      reject(new TmuxError('its tmux client has ended'))
    this.#listener.onEnd()
  }
}
