import { setTimeout as sleep } from 'node:timers/promises'
import type { Truth } from '../../src/agents/truth-reader.ts'
import type { Model } from '../model/server.ts'
import type { Recorder } from '../record/recorder.ts'
import { type UntilOptions, until } from '../until.ts'
import { Client } from './client.ts'
import type { Pane } from './pane.ts'
import type { Place } from './place.ts'
import type { RunOptions, Stage } from './stage.ts'

/**
 * How long a state must last to count: the meter leaves out 0.3 s after each change and accepts the
 * next state from 0.7 s before it, so that a shorter state could be missed without a penalty.
 */
const STAY_MS = 1_500

export interface ClaudeOptions extends RunOptions {
  /** In the terminal of one that has ended. */
  readonly again?: Seat
  /** False: it shows no input line at first (a dialog, `-p`). */
  readonly ready?: false
}

/** A conversation from the user's side: clients to start, conditions to wait for. */
export class Run {
  readonly place: Place
  readonly model: Model
  readonly stage: Stage
  readonly #recorder: Recorder
  readonly #args: readonly string[]

  constructor(stage: Stage, recorder: Recorder, args: readonly string[]) {
    this.stage = stage
    this.place = stage.place
    this.model = stage.model
    this.#recorder = recorder
    this.#args = args
  }

  /** Starts a client with the conversation's own arguments, or with these. */
  async claude(args = this.#args, options: ClaudeOptions = {}): Promise<Seat> {
    const { again, ready, ...rest } = options
    const mode = args.includes('--permission-mode') ? [] : ['--permission-mode', 'default']
    const where = { ...rest, ...(again && { again: again.pane }) }
    const pane = await this.stage.open(['claude', ...mode, ...args], where)
    this.#recorder.follow(pane, rest.cwd ?? this.place.project)
    const seat = new Seat(pane, this.#recorder)
    if (ready !== false) await seat.ready()
    // The input line may be visible before the client reports that it is idle.
    if (ready !== false) await seat.becomes('idle')
    return seat
  }

  /** Starts a client and sends it its first prompt. */
  async begin(prompt: string): Promise<Seat> {
    const seat = await this.claude()
    await seat.submit(prompt)
    return seat
  }

  /** Lets a state last. */
  async stay(ms = STAY_MS): Promise<void> {
    await sleep(ms)
  }

  /** Waits until a hook has reported this event this many times. */
  async hook(event: string, times = 1, options: UntilOptions = {}): Promise<void> {
    const told = () => this.#recorder.lines.filter((line) => eventOf(line) === event)
    await until(`hook ${event}, ${times} times`, () => told().length >= times, options)
  }
}

function eventOf({ source, payload }: { source: string; payload?: unknown }): unknown {
  return source === 'hook' && (payload as { hook_event_name?: unknown }).hook_event_name
}

/** A client and its user, who sees its own status. */
export class Seat extends Client {
  readonly #recorder: Recorder
  /** How many of its states the user has waited for, or had seen at the last action. */
  #met = 0

  constructor(pane: Pane, recorder: Recorder) {
    super(pane)
    this.#recorder = recorder
  }

  override async submit(prompt: string): Promise<void> {
    this.#met = this.#states().length
    await super.submit(prompt)
  }

  override async answer(dialog: RegExp, key: string): Promise<void> {
    this.#met = this.#states().length
    await super.answer(dialog, key)
  }

  /** Waits until the client waits, lets that last a while, and answers. */
  async replyTo(dialog: RegExp, key: string): Promise<void> {
    await this.becomes('waiting')
    await sleep(STAY_MS)
    await this.answer(dialog, key)
  }

  async press(...keys: string[]): Promise<void> {
    this.#met = this.#states().length
    await this.pane.press(...keys)
  }

  type(text: string): Promise<void> {
    return this.pane.type(text)
  }

  sees(screen: RegExp, options?: UntilOptions): Promise<string> {
    return this.pane.sees(screen, options)
  }

  /**
   * Waits for a state that the client entered since the user's last action, or since the last state
   * met.
   */
  async becomes(state: Truth['state'], options: UntilOptions = {}): Promise<void> {
    const met = () => {
      const at = this.#states().findIndex((other, index) => index >= this.#met && other === state)
      if (at < 0) return false
      this.#met = at + 1
      return true
    }
    const shows = async () => `it was ${this.#states().join(', ')}\n${await this.pane.screen()}`
    await until(`the client to be ${state}`, met, { shows, ...options })
  }

  #states(): Truth['state'][] {
    return this.#recorder.truthOf(this.pane).map(({ state }) => state)
  }
}
