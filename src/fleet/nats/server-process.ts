import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writePrivate } from '../../home/private-file.ts'
import { isProcess, startTimeOf } from '../../platform/process-table.ts'
import { findProgram } from '../../platform/programs.ts'
import { NATS_MISSING } from '../../protocol/fleet.ts'
import { type ServerConfig, serverConfigText } from './server-config.ts'
import { serverFault } from './server-fault.ts'

export interface NatsProgram {
  readonly path: string
  readonly version: string
}

const CHECK_MAX_MS = 10_000
const START_MAX_MS = 20_000
const STOP_MAX_MS = 5_000
/** What the server said last, for errors. */
const SAID_MAX = 4_000

const run = promisify(execFile)

const INSTALL =
  `${NATS_MISSING} Get 2.10.27, 2.11.1 or later: ` +
  'apt install nats-server (Debian 13), ' +
  'brew install nats-server (macOS), or github.com/nats-io/nats-server/releases.'

/** Where packages put servers: Debian's users do not have its folder in their PATH. */
const SERVER_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** SPEC FL60, FL76. The nats-server of this machine, or in a sentence why there is none to run. */
export async function findNatsServer(
  allowOld: boolean,
  env: Readonly<Record<string, string | undefined>> = process.env,
  folders: readonly string[] = SERVER_FOLDERS,
): Promise<NatsProgram | { readonly missing: string }> {
  const path = findProgram('nats-server', { PATH: [env.PATH, ...folders].join(delimiter) })
  if (path === undefined) return { missing: INSTALL }
  const version = await natsVersion(path)
  const fault = allowOld ? undefined : serverFault(version)
  return fault === undefined ? { path, version } : { missing: fault }
}

export async function natsVersion(path: string): Promise<string> {
  const { stdout } = await run(path, ['--version'], { timeout: CHECK_MAX_MS })
  return /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? 'unknown'
}

/** SPEC FL76. A nats-server that vigil runs, with its configuration in a folder of its own. */
export class NatsServer {
  readonly #program: string
  readonly #file: string
  #config: ServerConfig
  #child: ChildProcess | undefined
  #said = ''

  constructor(program: string, folder: string, config: ServerConfig) {
    this.#program = program
    this.#config = config
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#file = join(folder, 'nats-server.conf')
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && !this.#child.signalCode
  }

  /** Resolves when it accepts connections; throws with what it said if it ends before. */
  async start(onExit: (said: string) => void = () => {}): Promise<void> {
    await this.#endLeftover()
    await this.#write(this.#config)
    this.#said = ''
    const child = spawn(this.#program, ['-c', this.#file], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    if (child.pid !== undefined)
      writePrivate(`${this.#file}.pid`, `${child.pid} ${startTimeOf(child.pid) ?? ''}`)
    child.on('error', (error) => {
      this.#said += error.message
    })
    // To connect would prove less: another program may have the port.
    let isReady = false
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-SAID_MAX)
      isReady ||= this.#said.includes('Server is ready')
    })
    const giveUpAt = performance.now() + START_MAX_MS
    while (!isReady) {
      const isOver = !this.isRunning || child.pid === undefined
      if (isOver || performance.now() > giveUpAt) {
        await this.stop()
        throw new Error(`nats-server did not start: ${this.#lastWords()}`)
      }
      await sleep(20)
    }
    child.once('exit', () => onExit(this.#lastWords()))
  }

  /** SPEC FL74. Resolves when it is in force: members no longer listed are disconnected. */
  async reload(config: ServerConfig): Promise<void> {
    await this.#write(config)
    const child = this.#child
    if (child?.stderr === null || child === undefined || !this.isRunning) return
    const { stderr } = child
    const answer = new Promise<string>((resolve) => {
      let said = ''
      const timer = setTimeout(() => resolve('it did not answer'), CHECK_MAX_MS)
      const listen = (text: string) => {
        said += text
        const failed = /Failed to reload.*/i.exec(said)?.[0]
        if (failed === undefined && !said.includes('Reloaded server configuration')) return
        clearTimeout(timer)
        stderr.off('data', listen)
        resolve(failed ?? '')
      }
      stderr.on('data', listen)
    })
    child.kill('SIGHUP')
    const fault = await answer
    if (fault !== '') throw new Error(`nats-server did not take its configuration: ${fault}`)
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || !this.isRunning || child.pid === undefined) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS)
    await ended
    clearTimeout(timer)
  }

  /** The server of a daemon that was killed still has the port. */
  async #endLeftover(): Promise<void> {
    const [, pid = '', start = ''] = /^(\d+) (.+)$/.exec(this.#pidText()) ?? []
    if (start === '' || !isProcess(Number(pid), start)) return
    process.kill(Number(pid), 'SIGTERM')
    const giveUpAt = performance.now() + STOP_MAX_MS
    while (isProcess(Number(pid), start) && performance.now() < giveUpAt) await sleep(20)
  }

  #pidText(): string {
    try {
      return readFileSync(`${this.#file}.pid`, 'utf8')
    } catch {
      return ''
    }
  }

  /** The file in use is replaced only by one that the server understands. */
  async #write(config: ServerConfig): Promise<void> {
    const draft = `${this.#file}.new`
    writePrivate(draft, serverConfigText(config))
    try {
      await run(this.#program, ['-t', '-c', draft], { timeout: CHECK_MAX_MS })
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string }
      throw new Error(`nats-server refuses its configuration: ${stderr?.trim() || message}`)
    }
    writePrivate(this.#file, serverConfigText(config))
    this.#config = config
  }

  #lastWords(): string {
    const lines = this.#said.trim().split('\n')
    const fatal = lines.filter((line) => /\[(FTL|ERR)\]/.test(line)).at(-1)
    return (fatal ?? lines.at(-1) ?? '').replace(/^\[\d+\] \S+ \S+ \[\w+\] /, '')
  }
}
