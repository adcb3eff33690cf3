import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setup } from '../../src/agents/claude/setup/index.ts'
import type { Target } from '../../src/install/plan.ts'
import { CLIENT_PATH, clientOf, NEWEST } from '../clients.ts'
import type { Script } from '../model/script.ts'
import { type Model, startModel } from '../model/server.ts'
import { Client } from './client.ts'
import { clientEnvironment, type Environment, refuseRealKeys } from './environment.ts'
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
  const path = `${dirname(clientOf(version) ?? '')}:${CLIENT_PATH}`
  const extra = options.env?.(place) ?? {}
  const home = join(place.home, '.claude')
  const stage = new Stage(place, model, tmux, janitor, {
    target: { agent: 'claude', setup, homes: [home], version },
    environment: (more) =>
      clientEnvironment({
        home: place.home,
        path,
        modelUrl: model.url,
        extra: { ...extra, ...more },
      }),
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

export interface StageEnvironment {
  /** Where vigil is installed. */
  readonly target: Target
  /** All variables of a program, with these besides. */
  readonly environment: (more: Environment) => Environment
  readonly note: Note | undefined
}

export class Stage<M extends { stop(): Promise<void> } = Model> {
  readonly place: Place
  readonly model: M
  readonly tmux: Tmux
  readonly target: Target
  readonly #janitor: Janitor
  readonly #env: StageEnvironment

  constructor(place: Place, model: M, tmux: Tmux, janitor: Janitor, env: StageEnvironment) {
    this.place = place
    this.model = model
    this.tmux = tmux
    this.#janitor = janitor
    this.#env = env
    this.target = env.target
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
    const { note, environment } = this.#env
    const env = environment(options.env ?? {})
    return Pane.open(this.tmux, { command, cwd, env, again, note })
  }

  /** Runs a program beside the terminals, to its end; any exit code is a result. */
  run(command: readonly string[], options: RunOptions = {}): Promise<Output> {
    const [program = '', ...args] = command
    const cwd = options.cwd ?? this.place.project
    const env = this.#env.environment(options.env ?? {})
    return new Promise((resolve, reject) => {
      execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
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
}
