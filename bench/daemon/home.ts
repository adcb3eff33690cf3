import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, connect } from '../../src/client/client.ts'
import { COMMAND } from '../../src/client/start.ts'
import { daemonCommand } from '../../src/home/daemon-command.ts'
import { type Folders, foldersOf } from '../../src/home/folders.ts'

/** A real daemon in its own home, which sees no agent and no tmux of the machine's user. */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'vigil-bench-'))
  readonly env = {
    PATH: process.env.PATH ?? '',
    HOME: join(this.path, 'nobody'),
    VIGIL_HOME: this.path,
    TMUX_TMPDIR: this.path,
  }
  readonly folders: Folders = foldersOf(this.env)
  #daemon: ChildProcess | undefined
  #files = 0
  readonly #command: string

  constructor(command = COMMAND) {
    this.#command = command
    mkdirSync(this.folders.spool, { recursive: true, mode: 0o700 })
  }

  async start(): Promise<Client> {
    const stdio = ['ignore', 'ignore', 'inherit'] as const
    const [node = '', ...words] = daemonCommand(process.execPath, this.#command)
    this.#daemon = spawn(node, words, { env: this.env, stdio: [...stdio] })
    for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt; await sleep(5)) {
      if (pidIn(this.folders.daemonFile) === this.#daemon.pid) return connect(this.folders)
    }
    throw new Error('the daemon did not start within a minute')
  }

  get client(): Client {
    return connect(this.folders)
  }

  get pid(): number {
    return this.#daemon?.pid ?? 0
  }

  /** A hook's report, as the hook writes it. */
  write(payload: object, head = ''): void {
    this.#files += 1
    const text = `vigil 1\n${head}\n${JSON.stringify(payload)}\n.\n`
    writeFileSync(join(this.folders.spool, `hook.${this.#files}`), text)
  }

  async stop(): Promise<void> {
    if (this.#daemon?.exitCode !== null) return
    this.#daemon.kill('SIGTERM')
    await once(this.#daemon, 'exit')
  }

  async end(): Promise<void> {
    await this.stop()
    rmSync(this.path, { recursive: true, force: true })
  }
}

function pidIn(file: string): number | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).pid
  } catch {
    return undefined
  }
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (values: readonly number[]) =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** A prompt and its end by turns: every report is a change for subscribers. */
export function turn(index: number, sessions: number): object {
  const started = Math.floor(index / sessions) % 2 === 0
  return {
    session_id: `bench-${index % sessions}`,
    hook_event_name: started ? 'UserPromptSubmit' : 'Stop',
    cwd: '/home/ada/engine',
    prompt: 'x'.repeat(200),
    prompt_id: `p${Math.floor(index / sessions / 2)}`,
  }
}
