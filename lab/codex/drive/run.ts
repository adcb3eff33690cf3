import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pane } from '../../drive/pane.ts'
import type { Place } from '../../drive/place.ts'
import type { Output, RunOptions } from '../../drive/stage.ts'
import type { Recorder } from '../../record/recorder.ts'
import { type UntilOptions, until } from '../../until.ts'
import type { CodexModel } from '../model/server.ts'
import { codexHome } from './hooks.ts'
import { installRecorder } from './place.ts'
import { CodexSeat } from './seat.ts'
import type { CodexStage } from './stage.ts'

/** How long a state must last to count. */
const STAY_MS = 1_500

/** The first start of a home copies the daemon. */
const READY_MS = 40_000

interface CodexOptions extends RunOptions {
  /** In the terminal of one that has ended. */
  readonly again?: CodexSeat
  /** False: a dialog comes first, or it is `exec`. */
  readonly ready?: false
}

/** A conversation from the user's side. */
export class CodexRun {
  readonly place: Place
  readonly model: CodexModel
  readonly stage: CodexStage
  readonly #recorder: Recorder
  readonly #args: readonly string[]

  constructor(stage: CodexStage, recorder: Recorder, args: readonly string[]) {
    this.stage = stage
    this.place = stage.place
    this.model = stage.model
    this.#recorder = recorder
    this.#args = args
  }

  /** Starts a client with the conversation's own arguments, or with these. */
  async codex(args = this.#args, options: CodexOptions = {}): Promise<CodexSeat> {
    const { again, ready, ...rest } = options
    const where = { ...rest, ...(again && { again: again.pane }) }
    const pane = await this.stage.open(['codex', ...args], where)
    await this.#listen(pane)
    this.#recorder.follow(pane, rest.cwd ?? this.place.project)
    const seat = new CodexSeat(pane, this.#recorder)
    if (ready !== false) await seat.becomes('idle', { withinMs: READY_MS })
    // As its user, who looks before typing.
    if (ready !== false) await sleep(STAY_MS)
    return seat
  }

  /** Starts a client and sends it its first prompt. */
  async begin(prompt: string): Promise<CodexSeat> {
    const seat = await this.codex()
    await seat.submit(prompt)
    return seat
  }

  /** Lets a state last. */
  async stay(ms = STAY_MS): Promise<void> {
    await sleep(ms)
  }

  /** Runs the client beside the terminals, to its end. */
  beside(...args: readonly string[]): Promise<Output> {
    this.#recorder.note('action', { what: 'beside', value: args })
    return this.stage.run(['codex', ...args])
  }

  /** The thread of the first prompt. */
  thread(): string {
    const found = this.#recorder.lines.find(({ source }) => source === 'transcript')
    const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(String(found?.path))
    if (!id?.[1]) throw new Error('no thread has a rollout yet')
    return id[1]
  }

  /** The daemon of the client, by the file that it writes. */
  daemon(): number {
    const file = join(codexHome(this.place), 'app-server-daemon/daemon.pid')
    return JSON.parse(readFileSync(file, 'utf8')).pid
  }

  killDaemon(): void {
    this.#recorder.note('action', { what: 'killdaemon', value: 'SIGKILL' })
    process.kill(this.daemon(), 'SIGKILL')
  }

  installHooks(): void {
    this.#recorder.note('action', { what: 'installhooks', value: '' })
    installRecorder(this.place)
  }

  /** Waits until this many answers of the model have begun. */
  async asked(times: number, options: UntilOptions = {}): Promise<void> {
    const count = () => this.model.requests.filter(({ choice }) => choice).length
    await until(`${times} requests to the model`, () => count() >= times, options)
  }

  async hook(event: string, times = 1, options: UntilOptions = {}): Promise<void> {
    const heard = () =>
      this.#recorder.lines.filter(
        ({ source, payload }) =>
          source === 'hook' && (payload as { hook_event_name?: unknown }).hook_event_name === event,
      )
    await until(`hook ${event}, ${times} times`, () => heard().length >= times, options)
  }

  /** What the client writes to its terminal, with what tmux drops. */
  async #listen(pane: Pane): Promise<void> {
    const file = join(this.place.root, `raw-${pane.id.slice(1)}`)
    await this.stage.tmux.run('pipe-pane', '-t', pane.id, `cat >> '${file}'`)
  }
}
