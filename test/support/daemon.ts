import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, connect } from '../../src/client/client.ts'
import { COMMAND } from '../../src/client/start.ts'
import { type Folders, foldersOf, waitingFolder } from '../../src/home/folders.ts'
import { CODE_CACHE } from './code-cache.ts'
import { isDead, kill } from './is-dead.ts'

/** Generous for a loaded machine, and less than a whole test may take. */
const WAIT_MAX_MS = 50_000

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface HomeOptions {
  /** Its path for the daemon; by default a temporary folder of its own. */
  readonly path?: string
  /** The same folder as the test sees it, if the daemon runs in a mount namespace. */
  readonly seenAt?: string
  /** Placed before every command: enters that namespace. */
  readonly enter?: readonly string[]
}

/** The home of a real daemon, which finds no agent of the machine's user. */
export class DaemonHome {
  readonly path: string
  readonly seenAt: string
  readonly env: Record<string, string>
  /** As the test sees them. */
  readonly folders: Folders
  readonly client: Client
  readonly #enter: readonly string[]
  readonly #running = new Set<Running>()
  #files = 0

  constructor({ path, seenAt, enter = [] }: HomeOptions = {}) {
    this.path = path ?? mkdtempSync(join(tmpdir(), 'vigil-home-'))
    this.seenAt = seenAt ?? this.path
    const nobody = join(this.path, 'nobody')
    const own = { HOME: nobody, VIGIL_HOME: this.path }
    this.env = { PATH: process.env.PATH ?? '', ...own, ...CODE_CACHE }
    this.folders = foldersOf({ VIGIL_HOME: this.seenAt })
    this.client = connect(this.folders)
    this.#enter = enter
    mkdirSync(this.folders.spool, { recursive: true, mode: 0o700 })
  }

  /** Any command of vigil; `command` is that of another installation. */
  spawn(args: readonly string[], command = COMMAND): Running {
    const [program = '', ...rest] = [...this.#enter, process.execPath, command, ...args]
    const child = spawn(program, rest, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const running = new Running(child)
    this.#running.add(running)
    void running.ended.then(() => this.#running.delete(running))
    return running
  }

  run(args: readonly string[], command = COMMAND): Promise<Ended> {
    return this.spawn(args, command).ended
  }

  /** A daemon in the foreground that answers. */
  async start(command = COMMAND): Promise<Running> {
    const daemon = this.spawn(['daemon', '--quiet'], command)
    await until('the daemon answers', () => this.announced()?.pid === daemon.pid || daemon.isOver)
    if (daemon.isOver) throw new Error(`the daemon ended: ${JSON.stringify(await daemon.ended)}`)
    return daemon
  }

  /** Kills the daemon, whichever process started it. */
  async kill(): Promise<void> {
    const pid = this.announced()?.pid ?? 0
    if (pid > 0) kill(pid)
    await until('the daemon is gone', () => isDead(pid) && !this.daemons().includes(pid))
  }

  /** Any command restarts the daemon, and a holder keeps its address. */
  async again(): Promise<void> {
    await this.kill()
    const { code, stderr } = await this.run(['status'])
    if (code !== 0) throw new Error(`the daemon did not start: ${stderr}`)
  }

  announced(): { readonly pid: number; readonly version: string } | undefined {
    try {
      return JSON.parse(readFileSync(this.folders.daemonFile, 'utf8'))
    } catch {
      return undefined
    }
  }

  /** The name that the next report will have. */
  get nextReport(): string {
    return `hook.${this.#files + 1}`
  }

  /** A hook's report, as the hook writes it, now or at another time; returns the file's path. */
  write(payload: object, head: Readonly<Record<string, string | number>> = {}, atMs?: number) {
    const path = join(this.folders.spool, this.nextReport)
    this.#files += 1
    const lines = Object.entries(head).map(([key, value]) => `${key}=${value}\n`)
    const text = `vigil 1\n${lines.join('')}\n${JSON.stringify(payload)}\n.\n`
    if (atMs === undefined) writeFileSync(path, text)
    else this.#writeAt(path, text, atMs)
    return path
  }

  /** Moved into place with its time: in the spool it would be read before it has the time. */
  #writeAt(path: string, text: string, atMs: number): void {
    const draft = join(this.seenAt, 'draft')
    writeFileSync(draft, text)
    utimesSync(draft, atMs / 1000, atMs / 1000)
    renameSync(draft, path)
  }

  /** Hooks wait for answers. */
  hooksWait(): boolean {
    return existsSync(waitingFolder(this.folders))
  }

  waiting(): readonly string[] {
    return readdirSync(this.folders.spool)
  }

  taken(maxMs?: number): Promise<void> {
    return until('the spool is taken', () => this.waiting().length === 0, maxMs)
  }

  /** `id state` of the sessions of `turn`: clients that run on this machine are found, too. */
  async states(): Promise<string[]> {
    const { sessions } = await this.client.sessions()
    return sessions
      .filter(({ id }) => id.startsWith(OWN))
      .map(({ id, state }) => `${id} ${state}`)
      .toSorted()
  }

  /** How often each nonce is in the log. */
  nonces(): Map<string, number> {
    const sql = `SELECT json_extract(body, '$.payload.nonce') AS nonce FROM reports ORDER BY id`
    const found = new Map<string, number>()
    for (const { nonce } of this.query(sql))
      if (nonce !== null) found.set(String(nonce), (found.get(String(nonce)) ?? 0) + 1)
    return found
  }

  query(sql: string): Record<string, unknown>[] {
    if (this.#enter.length > 0) return this.#queryWithin(sql)
    const database = new DatabaseSync(this.folders.database, { readOnly: true, timeout: 5_000 })
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  }

  /** SQLite resolves every link on its way, and would leave the namespace. */
  #queryWithin(sql: string): Record<string, unknown>[] {
    const script = `const [, path, sql] = process.argv
      const database = new (require('node:sqlite').DatabaseSync)(path, { readOnly: true })
      process.stdout.write(JSON.stringify(database.prepare(sql).all()))`
    const { database } = foldersOf(this.env)
    const [program = '', ...args] = [...this.#enter, process.execPath, '-e', script, database, sql]
    return JSON.parse(execFileSync(program, args, { encoding: 'utf8', maxBuffer: 100_000_000 }))
  }

  log(): string {
    try {
      return readFileSync(this.folders.log, 'utf8')
    } catch {
      return ''
    }
  }

  /** Daemons of this home, whichever process started them. */
  daemons(): number[] {
    return this.#processes().filter((pid) => argumentsOf(pid).includes('daemon'))
  }

  /** Ends every process that belongs to this home, and removes it. */
  async end(): Promise<void> {
    for (const pid of this.#processes()) kill(pid)
    await Promise.all([...this.#running].map(({ ended }) => ended))
    await until('all processes are gone', () => this.#processes().length === 0)
    rmSync(this.seenAt, { recursive: true, force: true, maxRetries: 5 })
  }

  #processes(): number[] {
    const mark = `VIGIL_HOME=${this.path}\0`
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => `${fileOf(pid, 'environ')}\0`.includes(mark))
      .map(Number)
      .filter((pid) => pid !== process.pid)
  }
}

/** A process that this test started, and its output so far. */
export class Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess
  readonly #said = { stdout: '', stderr: '' }

  constructor(child: ChildProcess) {
    this.#child = child
    this.pid = child.pid ?? 0
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (chunk) => {
        this.#said[name] += chunk
      })
    this.ended = new Promise((resolve) =>
      child.once('close', (code) => resolve({ code, ...this.#said })),
    )
  }

  get stdout(): string {
    return this.#said.stdout
  }

  get stderr(): string {
    return this.#said.stderr
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  kill(name: NodeJS.Signals = 'SIGKILL'): Promise<Ended> {
    this.signal(name)
    return this.ended
  }

  memoryBytes(): number {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(fileOf(this.pid, 'status')) ?? []
    return Number(kilobytes) * 1024
  }
}

/** The prefix of session ids that a test makes up. */
export const OWN = 'own-'

/** A prompt and its end by turns, with a nonce that distinguishes reports. */
export function turn(session: string, nonce: string | number, event = 'UserPromptSubmit'): object {
  const cwd = '/home/ada/engine'
  const id = OWN + session
  return { session_id: id, hook_event_name: event, cwd, prompt: 'x', nonce: String(nonce) }
}

/** Requests events and never reads one. */
export function silentSubscriber({ socket, token }: Folders): Socket {
  const head = `host: vigil\r\nauthorization: Bearer ${readFileSync(token, 'utf8').trim()}\r\n`
  const connection = connectSocket(socket, () => {
    connection.write(`GET /v1/events HTTP/1.1\r\n${head}\r\n`)
  })
  connection.on('error', () => {})
  return connection.pause()
}

export async function until(what: string, isSo: () => unknown, maxMs = WAIT_MAX_MS): Promise<void> {
  const giveUpAt = performance.now() + maxMs
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`waited ${maxMs} ms in vain until ${what}`)
    await sleep(20)
  }
}

function fileOf(pid: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function argumentsOf(pid: number): string[] {
  return fileOf(pid, 'cmdline').split('\0')
}
