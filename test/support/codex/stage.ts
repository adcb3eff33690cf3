import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CODEX, CODEX_NEWEST, clientOf } from '../../../lab/clients.ts'
import { codexHome } from '../../../lab/codex/drive/hooks.ts'
import { givePackage, keepPackage } from '../../../lab/codex/drive/package.ts'
import { makeCodexPlace } from '../../../lab/codex/drive/place.ts'
import { type Janitor, startJanitor } from '../../../lab/drive/janitor.ts'
import { Pane } from '../../../lab/drive/pane.ts'
import type { Place } from '../../../lab/drive/place.ts'
import type { Output } from '../../../lab/drive/stage.ts'
import { Tmux } from '../../../lab/drive/tmux.ts'
import { until } from '../../../lab/until.ts'
import type { Session } from '../../../src/protocol/session.ts'
import { CODE_CACHE } from '../code-cache.ts'
import { CodexModel, type Said } from './model.ts'

const vigil = fileURLToPath(new URL('../../../bin/vigil.js', import.meta.url))
const relay = fileURLToPath(new URL('relay.js', import.meta.url))
const PROGRAM = clientOf(CODEX_NEWEST, CODEX)

/** What this machine lacks, and what to do; undefined if these tests can run. */
export const NO_CODEX = missing()

function missing(): string | undefined {
  if (PROGRAM === undefined) return `Codex ${CODEX_NEWEST} is not installed: npm run clients`
  try {
    execFileSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' })
    execFileSync('tmux', ['-V'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'no namespace of the network can be made, or tmux is missing'
  }
}

/** Everything in it has a network with loopback alone: the client tries to reach the internet. */
export class CodexStage {
  readonly place: Place
  readonly model: CodexModel
  readonly #tmux: Tmux
  readonly #janitor: Janitor
  #inside: readonly string[] = []

  static async open(replies: readonly Said[]): Promise<CodexStage> {
    const stage = new CodexStage(replies)
    try {
      await stage.#start()
    } catch (error) {
      await stage.end()
      throw error
    }
    return stage
  }

  constructor(replies: readonly Said[]) {
    this.place = makeCodexPlace()
    this.model = new CodexModel(replies)
    this.#tmux = new Tmux(this.place.root)
    this.#janitor = startJanitor(this.place.root, this.#tmux.socket)
  }

  get home(): string {
    return codexHome(this.place)
  }

  get env(): Readonly<Record<string, string>> {
    return {
      HOME: this.place.home,
      PATH: `${dirname(PROGRAM ?? '')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      LAB_API_KEY: 'made-up-key',
      VIGIL_HOME: join(this.place.root, 'vigil'),
      ...CODE_CACHE,
    }
  }

  read(file: string): string {
    return readFileSync(join(this.home, file), 'utf8')
  }

  /** Runs a program to its end; any exit code is a result. */
  run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Output> {
    const [program = '', ...args] = [...this.#inside, ...command]
    const options = { cwd: this.place.project, env: { ...this.env, ...env } }
    return new Promise((resolve, reject) => {
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error)
        else resolve({ code: Number(error?.code ?? 0), stdout, stderr })
      })
      // `codex exec` reads it to its end.
      child.stdin?.end()
    })
  }

  /** What is typed to run vigil in a terminal. */
  command(...args: string[]): string[] {
    return [process.execPath, vigil, ...args]
  }

  async vigil(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(this.command(...args))
    if (code === 0) return stdout
    throw new Error(`vigil ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`)
  }

  /** A program file that runs another in this network. */
  inside(program: string): string {
    const file = join(this.place.root, 'inside')
    const command = [...this.#inside, program].map((word) => `'${word}'`).join(' ')
    writeFileSync(file, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
    return file
  }

  openPane(command: readonly string[]): Promise<Pane> {
    return Pane.open(this.#tmux, { command, cwd: this.place.project, env: this.env })
  }

  /** The client in a terminal, when it takes prompts. */
  async codex(...args: string[]): Promise<Pane> {
    const pane = await this.openPane(['codex', ...args])
    await pane.sees(READY, { withinMs: 60_000 })
    return pane
  }

  async submit(pane: Pane, prompt: string): Promise<void> {
    await pane.type(prompt)
    await pane.sees((screen) => inputOf(screen).includes(prompt))
    await until('the client to take it', async () => {
      await pane.press('Enter')
      const taken = (screen: string) => !inputOf(screen).includes(prompt)
      return pane.sees(taken, { withinMs: 2_000 }).catch(() => undefined)
    })
  }

  /** The session in its folder, once vigil says this of it. */
  async says(what: Partial<Session>): Promise<Session> {
    let last: Session[] = []
    const look = async () => {
      const all = JSON.parse(await this.vigil('status', '--json')) as Session[]
      last = all.filter(({ cwd, id }) => cwd === this.place.project && !id.includes(':'))
      return last.find((one) => Object.entries(what).every(([name, is]) => of(one, name) === is))
    }
    const shows = () => `vigil said at last:\n${JSON.stringify(last, null, 2)}`
    return until(`vigil to say ${JSON.stringify(what)}`, look, { withinMs: 15_000, shows })
  }

  async end(): Promise<void> {
    this.model.close()
    keepPackage(this.place, CODEX_NEWEST)
    await this.#janitor.clean()
  }

  async #start(): Promise<void> {
    const [socket, port] = ['model.sock', 'port'].map((name) => join(this.place.root, name))
    await this.model.listen(socket as string)
    const line = 'ip link set lo up; exec "$0" "$@"'
    const args = ['--net', 'sh', '-c', line, process.execPath, relay, socket, port] as string[]
    const anchor = spawn('unshare', args, { env: this.env, stdio: 'ignore' })
    await until(
      'the port',
      () => existsSync(port as string) && readFileSync(port as string, 'utf8'),
    )
    this.#inside = ['nsenter', `--net=/proc/${anchor.pid}/ns/net`, '--']
    const tmux = ['tmux', '-L', this.#tmux.socket, '-f', '/dev/null', 'start-server']
    const stays = [';', 'set', '-g', 'exit-empty', 'off']
    await this.run([...tmux, ...stays], { TMUX_TMPDIR: this.place.root })
    await this.#tmux.start()
    givePackage(this.place, CODEX_NEWEST)
    const { project } = this.place
    writeFileSync(
      join(this.home, 'config.toml'),
      configOf(readFileSync(port as string, 'utf8'), project),
    )
  }
}

function of(session: Session, name: string): unknown {
  return session[name as keyof Session]
}

/** The input line, and below it the line with the model and the folder. */
const READY = /^› .*\n(?:.*\n)*? {2}\S.* · .*\S/m

/** The text of the last input line; those above it are prompts that were sent. */
function inputOf(screen: string): string {
  return screen.slice(screen.lastIndexOf('\n› ') + 1)
}

function configOf(port: string, project: string): string {
  return `model = "gpt-6.1-sol"
model_provider = "lab"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.lab]
name = "lab"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "LAB_API_KEY"
[projects."${project}"]
trust_level = "trusted"
`
}
