import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A private tmux server: no configuration, no session of the user, its socket in `root`. */
export class Tmux {
  /** As `tmux -L` takes it. */
  readonly socket = `vigil-${randomUUID().slice(0, 8)}`
  readonly #env: Record<string, string>

  constructor(root: string) {
    this.#env = {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TMUX_TMPDIR: root,
    }
  }

  async start(): Promise<void> {
    // A pane stays when its program ends, because its exit code and last screen are still needed.
    const set = (name: string, value: string) => [';', 'set', '-g', name, value]
    const kept = [...set('remain-on-exit', 'on'), ...set('remain-on-exit-format', '')]
    await this.run('start-server', ...set('exit-empty', 'off'), ...kept)
  }

  async run(...args: string[]): Promise<string> {
    const all = ['-L', this.socket, '-f', '/dev/null', ...args]
    const { stdout } = await run('tmux', all, { env: this.#env }).catch((error) => {
      throw new Error(`tmux ${args[0]}: ${error.stderr?.trim() || error.message}`)
    })
    return stdout
  }
}
