import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Client } from '../../src/daemon/client/client.ts'
import { COMMAND } from '../../src/daemon/start.ts'
import type { Stage } from '../drive/stage.ts'
import { until } from '../until.ts'

/** vigil on a stage: its command line and its daemon, in the home that the clients have. */
export class Daemon {
  readonly #stage: Stage
  #child: ChildProcess | undefined

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Runs one command of vigil's to its end. */
  async command(...args: string[]): Promise<void> {
    const { code, stderr } = await this.#stage.run([process.execPath, COMMAND, ...args])
    if (code !== 0) throw new Error(`vigil ${args.join(' ')}: exit ${code}\n${stderr}`)
  }

  /** Starts it, unless a hook already has, and waits until it answers. */
  async start(client: Client): Promise<void> {
    const { home, root } = this.#stage.place
    const PATH = process.env.PATH ?? '/usr/bin:/bin'
    this.#child = spawn(process.execPath, [COMMAND, 'daemon', '--quiet'], {
      env: { PATH, HOME: home, VIGIL_HOME: `${root}/vigil`, LANG: 'C.UTF-8' },
      stdio: 'ignore',
    })
    await until('the daemon to answer', () => client.health().catch(() => undefined))
  }

  /** As a crash: at once, without a word. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null) throw new Error('the daemon to kill is not ours')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}
