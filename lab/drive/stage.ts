import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { CLIENT_PATH, clientOf, NEWEST } from '../clients.ts'
import type { Script } from '../model/script.ts'
import { type Model, startModel } from '../model/server.ts'
import { Client } from './client.ts'
import { clientEnvironment, refuseRealKeys } from './environment.ts'
import { type Janitor, startJanitor } from './janitor.ts'
import { missingFor } from './missing.ts'
import { type Note, Pane } from './pane.ts'
import { makePlace, type Place } from './place.ts'
import { Tmux } from './tmux.ts'

export interface StageOptions {
  /** The client's version, as `lab/clients.ts` installs it. */
  readonly client?: string
  /** Variables for all programs here, such as VIGIL_HOME, by the place of the stage. */
  readonly env?: (place: Place) => Readonly<Record<string, string>>
  readonly note?: Note
}

/**
 * Everything that a conversation needs: a place, a scripted model, terminals. Call `end` in any
 * case.
 */
export async function openStage(
  script: Script | ((place: Place) => Script),
  options: StageOptions = {},
): Promise<Stage> {
  refuseRealKeys(process.env)
  const version = options.client ?? NEWEST
  const missing = missingFor(version)
  if (missing) throw new Error(missing)
  const place = makePlace()
  const tmux = new Tmux(place.root)
  const janitor = startJanitor(place.root, tmux.socket)
  const model = await startModel(typeof script === 'function' ? script(place) : script)
  const stage = new Stage(place, model, tmux, janitor, {
    version,
    path: `${dirname(clientOf(version) ?? '')}:${CLIENT_PATH}`,
    extra: options.env?.(place) ?? {},
    note: options.note,
  })
  await tmux.start().catch(async (error) => {
    await stage.end()
    throw error
  })
  return stage
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

interface OpenOptions extends RunOptions {
  /** In the terminal of a program that has ended. */
  readonly again?: Pane
}

export interface Output {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface StageEnvironment {
  readonly version: string
  readonly path: string
  readonly extra: Readonly<Record<string, string>>
  readonly note: Note | undefined
}

export class Stage {
  readonly place: Place
  readonly model: Model
  readonly tmux: Tmux
  /** The client's. */
  readonly version: string
  readonly #janitor: Janitor
  readonly #env: StageEnvironment

  constructor(place: Place, model: Model, tmux: Tmux, janitor: Janitor, env: StageEnvironment) {
    this.place = place
    this.model = model
    this.tmux = tmux
    this.#janitor = janitor
    this.#env = env
    this.version = env.version
  }

  /** Starts the client in a terminal of its own and waits for its input line. */
  async claude(args: readonly string[] = [], options: RunOptions = {}): Promise<Client> {
    const command = ['claude', '--permission-mode', 'default', ...args]
    const client = new Client(await this.open(command, options))
    await client.ready()
    return client
  }

  /** Starts any program in a terminal of its own. */
  open(command: readonly string[], options: OpenOptions = {}): Promise<Pane> {
    const { cwd = this.place.project, again } = options
    const { note } = this.#env
    return Pane.open(this.tmux, { command, cwd, env: this.#environment(options), again, note })
  }

  /** Runs a program beside the terminals, to its end; any exit code is a result. */
  run(command: readonly string[], options: RunOptions = {}): Promise<Output> {
    const [program = '', ...args] = command
    const cwd = options.cwd ?? this.place.project
    return new Promise((resolve, reject) => {
      execFile(program, args, { cwd, env: this.#environment(options) }, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error)
        else resolve({ code: Number(error?.code ?? 0), stdout, stderr })
      })
    })
  }

  /** Ends all processes that were started here, and removes the files. */
  async end(): Promise<void> {
    await this.model.stop()
    await this.#janitor.clean()
  }

  #environment({ env = {} }: RunOptions): Readonly<Record<string, string>> {
    const { path, extra } = this.#env
    return clientEnvironment({
      home: this.place.home,
      path,
      modelUrl: this.model.url,
      extra: { ...extra, ...env },
    })
  }
}
