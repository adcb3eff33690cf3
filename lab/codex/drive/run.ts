import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CODEX, CODEX_BEFORE, clientOf } from '../../clients.ts'
import type { Pane } from '../../drive/pane.ts'
import type { Place } from '../../drive/place.ts'
import type { Output, RunOptions } from '../../drive/stage.ts'
import type { Recorder } from '../../record/recorder.ts'
import { type UntilOptions, until } from '../../until.ts'
import type { CodexModel } from '../model/server.ts'
import { codexHome } from './hooks.ts'
import { OtherProgram } from './other-program.ts'
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

interface Entry {
  readonly payload?: { readonly type?: string; readonly turn_id?: string }
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
    return this.#start(['codex', ...args], options)
  }

  async #start(command: readonly string[], options: CodexOptions): Promise<CodexSeat> {
    const { again, ready, ...rest } = options
    const where = { ...rest, ...(again && { again: again.pane }) }
    const pane = await this.stage.open(command, where)
    await this.#listen(pane)
    this.#recorder.follow(pane, rest.cwd ?? this.place.project)
    const seat = new CodexSeat(pane, this.#recorder)
    if (ready !== false) await seat.becomes('idle', { withinMs: READY_MS })
    // A user looks for a moment before typing.
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

  /** Waits for a file that a command makes in the project. */
  async file(name: string): Promise<void> {
    await until(`the file ${name}`, () => existsSync(join(this.place.project, name)))
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

  kill({ pane }: CodexSeat, signal: NodeJS.Signals): void {
    const born = this.#recorder.lines.findLast(
      ({ source, alive, ...line }) =>
        source === 'process' && alive === true && line.pane === pane.id,
    )
    this.#recorder.note('action', { what: 'kill', value: signal, pane: pane.id })
    process.kill(Number(born?.pid), signal)
  }

  /** Starts a client of another version. */
  async older(options: CodexOptions): Promise<CodexSeat> {
    const program = clientOf(CODEX_BEFORE, CODEX)
    if (!program) throw new Error(`Codex ${CODEX_BEFORE} is not installed`)
    return this.#start([program], options)
  }

  /** Another program that answers the next approval when it is let to. */
  async answerApprovals(decision: string): Promise<{ send(): void }> {
    const other = new OtherProgram(this.place)
    await other.follow(this.thread())
    return {
      send: () => {
        this.#recorder.note('action', { what: 'answer', value: decision })
        other.answer(decision)
      },
    }
  }

  /** Another program interrupts the running turn. */
  async interrupt(): Promise<void> {
    const other = new OtherProgram(this.place)
    const turnId = this.#turn()
    await other.follow(this.thread())
    this.#recorder.note('action', { what: 'interrupt', value: '' })
    await other.ask('turn/interrupt', { threadId: this.thread(), turnId })
    other.close()
  }

  #turn(): string {
    const entries = this.#recorder.lines.map(({ entry }) => entry as Entry | undefined)
    const started = entries.findLast((entry) => entry?.payload?.type === 'task_started')
    return String(started?.payload?.turn_id)
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

  /** Waits until this many answers of the model have ended. */
  async answered(times: number, options: UntilOptions = {}): Promise<void> {
    const ended = () => this.model.requests.filter(({ choice, outcome }) => choice && outcome)
    await until(`${times} answers of the model`, () => ended().length >= times, options)
  }

  /** What the client writes to its terminal, with what tmux drops. */
  async #listen(pane: Pane): Promise<void> {
    const file = join(this.place.root, `raw-${pane.id.slice(1)}`)
    await this.stage.tmux.run('pipe-pane', '-t', pane.id, `cat >> '${file}'`)
  }
}
