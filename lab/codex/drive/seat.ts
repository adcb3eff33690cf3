import { setTimeout as sleep } from 'node:timers/promises'
import type { Truth } from '../../../src/agents/truth-reader.ts'
import type { Pane } from '../../drive/pane.ts'
import type { Recorder } from '../../record/recorder.ts'
import { type UntilOptions, until } from '../../until.ts'

/** Lets a dialog last before it is answered. */
const STAY_MS = 1_500

/** A key that the client took shows within this time. */
const TAKEN_WITHIN_MS = 3_000

/** A client of Codex in a terminal, as its user handles it. */
export class CodexSeat {
  readonly pane: Pane
  readonly #recorder: Recorder
  /** How many of its states the user has waited for, or had seen at the last action. */
  #met = 0

  constructor(pane: Pane, recorder: Recorder) {
    this.pane = pane
    this.#recorder = recorder
  }

  /** Types a prompt, waits until the input line shows it, and sends it. */
  async submit(prompt: string): Promise<void> {
    await this.type(prompt)
    await this.pane.sees((screen) => inputOf(screen).includes(squeezed(prompt)))
    // A line end right behind the text would be part of it, as in pasted text.
    await sleep(200)
    this.#met = this.#states().length
    await this.pane.send(prompt)
    const taken = async () =>
      !inputOf(await this.pane.screen()).includes(squeezed(prompt)) || (await this.pane.end())
    await until(`the client to take ${prompt}`, taken, { shows: () => this.pane.screen() })
  }

  async type(text: string): Promise<void> {
    await this.pane.type(text)
  }

  async press(...keys: string[]): Promise<void> {
    this.#met = this.#states().length
    await this.pane.press(...keys)
  }

  sees(screen: RegExp, options?: UntilOptions): Promise<string> {
    return this.pane.sees(screen, options)
  }

  /** Waits for a dialog, lets it last, answers it, and waits until it is gone or another. */
  async replyTo(dialog: RegExp, ...keys: string[]): Promise<void> {
    const asked = await this.pane.sees(dialog)
    await sleep(STAY_MS)
    this.#met = this.#states().length
    const taken = (screen: string) => !dialog.test(screen) || footOf(screen) !== footOf(asked)
    await this.pane.press(...keys)
    await this.pane.sees(taken, { withinMs: TAKEN_WITHIN_MS })
  }

  /** Waits for a state that the client entered since the user's last action. */
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

/** What stands behind the sign of the input line, down to the line of model and folder. */
function inputOf(screen: string): string {
  return squeezed(/^›(?![\s\S]*^›)([\s\S]*)/m.exec(screen)?.[1] ?? '')
}

/** A long prompt is wrapped where the terminal ends. */
function squeezed(text: string): string {
  return text.replaceAll(/\s/g, '')
}

/** The last lines, without what counts up by itself. */
function footOf(screen: string): string {
  return screen.trimEnd().split('\n').slice(-16).join('\n').replaceAll(/\d+/g, '')
}
