import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Client, connect } from '../../src/client/client.ts'
import { COMMAND } from '../../src/client/start.ts'
import { type Folders, foldersOf } from '../../src/home/folders.ts'
import { install } from '../../src/install/install.ts'
import { IS_PORTABLE } from '../../src/platform/system.ts'
import type { Place } from '../drive/place.ts'
import type { StageEnvironment } from '../drive/stage.ts'
import { until } from '../until.ts'
import { PortablePath } from './portable.ts'

const PORTABLE = IS_PORTABLE ? { VIGIL_PORTABLE: '1' } : {}

/** What vigil needs of a stage. */
export type Watched = { readonly place: Place } & Pick<StageEnvironment, 'target'>

/** vigil on a stage: its hooks and its daemon, in the home of the clients. */
export class Daemon {
  readonly client: Client
  readonly #stage: Watched
  readonly #folders: Folders
  readonly #portable = IS_PORTABLE ? new PortablePath() : undefined
  /** Modules that are loaded before it, such as those that take a source from it. */
  readonly #imports: readonly string[]
  #child: ChildProcess | undefined

  constructor(stage: Watched, imports: readonly string[] = []) {
    this.#stage = stage
    this.#imports = imports
    this.#folders = foldersOf({ VIGIL_HOME: `${stage.place.root}/vigil` })
    this.client = connect(this.#folders)
  }

  /** As `vigil install` does; the client need not be asked for its version. */
  install(): void {
    const own = { node: process.execPath, vigil: COMMAND }
    const targets = [this.#stage.target]
    install({ folders: this.#folders, targets, asked: {}, env: {}, ...own })
  }

  /** Starts the daemon, unless a hook already has, and waits until it answers. */
  async start(): Promise<void> {
    const { home, root } = this.#stage.place
    const PATH = this.#portable?.folder ?? process.env.PATH ?? '/usr/bin:/bin'
    const before = this.#imports.map((module) => `--import=${module}`)
    this.#child = spawn(process.execPath, [...before, COMMAND, 'daemon', '--quiet'], {
      env: { PATH, HOME: home, VIGIL_HOME: `${root}/vigil`, LANG: 'C.UTF-8', ...PORTABLE },
      stdio: 'ignore',
    })
    await until('the daemon to answer', () => this.client.health().catch(() => undefined))
  }

  /** As in a crash: SIGKILL. */
  async kill(): Promise<void> {
    const { pid } = await this.client.health()
    const child = this.#child
    const ended = child?.pid === pid ? once(child as ChildProcess, 'exit') : undefined
    process.kill(pid, 'SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    await this.client.stop('the lab is done')
    this.#portable?.remove()
  }
}
