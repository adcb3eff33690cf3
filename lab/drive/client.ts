import { setTimeout as sleep } from 'node:timers/promises'
import { type UntilOptions, until } from '../until.ts'
import type { Pane } from './pane.ts'

/** The client's input line with its text: between two rules, `❯` or in 2.0 `>`. */
const INPUT_LINE = /^─{20,}.*\n[❯>!](.*)\n(?:.*\n)*?─{20,}/m

/** A dialog of the client is below the last rule. */
const DIALOG = /^─{20,}(?![\s\S]*^─{20,})[\s\S]*/m

/**
 * The client ignores every answer in the first half second of a dialog, so that a user who is
 * typing answers nothing. Measured: of 11 Enters within 0.1 s of the dialog’s appearance 5 were
 * ignored, of 12 later ones none.
 */
const REFUSES_MS = 600

/**
 * A client that was killed, or wrote its settings at the same moment as another, is taken for one
 * whose new renderer failed: the next client starts with the old renderer and offers the new one.
 */
const OFFER = /Try the new fullscreen renderer\?/

/** An accepted answer was visible within 1.2 s on a busy machine; an ignored one never is. */
const TAKEN_WITHIN_MS = 3_000

/** Claude Code in a pane, as its user handles it. */
export class Client {
  readonly pane: Pane

  constructor(pane: Pane) {
    this.pane = pane
  }

  /** Waits for the input line; an offer in front of it is declined. */
  async ready(options: UntilOptions = {}): Promise<void> {
    const either = (screen: string) => INPUT_LINE.test(screen) || OFFER.test(screen)
    if (OFFER.test(await this.pane.sees(either, options))) await this.answer(OFFER, 'Escape')
    await this.pane.sees(INPUT_LINE, options)
  }

  /** Types a prompt, waits until the input line shows it, and sends it. */
  async submit(prompt: string): Promise<void> {
    await this.ready()
    await this.pane.type(prompt)
    // Enter in one burst with the text would be a line break in it, as in pasted text.
    await this.pane.sees((screen) => holds(inputOf(screen), prompt))
    // A client that is still starting may draw the typed text and miss Enter (2.0.50, under load);
    // another Enter in an empty input line does nothing.
    const attempt = async () => {
      await this.pane.send(prompt)
      return until(`the client to take ${prompt}`, () => this.#took(prompt), {
        withinMs: TAKEN_WITHIN_MS,
      }).catch(() => undefined)
    }
    await until(`the client to take ${prompt}`, attempt, { shows: () => this.pane.screen() })
  }

  /** A command such as /exit may end the client before it draws its input line again. */
  async #took(prompt: string): Promise<unknown> {
    return !holds(inputOf(await this.pane.screen()), prompt) || (await this.pane.end())
  }

  /** Waits for a dialog, answers it with one key, and waits until the answer was accepted. */
  async answer(dialog: RegExp, key: string): Promise<void> {
    const asked = dialogOf(await this.pane.sees(dialog))
    await sleep(REFUSES_MS)
    const taken = (screen: string) => !dialog.test(screen) || dialogOf(screen) !== asked
    const attempt = async () => {
      await this.pane.press(key)
      return this.pane.sees(taken, { withinMs: TAKEN_WITHIN_MS }).catch(() => undefined)
    }
    await until(`${key} to answer ${dialog}`, attempt, { shows: () => this.pane.screen() })
  }
}

function inputOf(screen: string): string {
  return INPUT_LINE.exec(screen)?.[0] ?? ''
}

/** A long prompt is wrapped where the terminal ends. */
function holds(input: string, prompt: string): boolean {
  return input.replaceAll(/\s/g, '').includes(prompt.replaceAll(/\s/g, ''))
}

function dialogOf(screen: string): string {
  return DIALOG.exec(screen)?.[0] ?? ''
}
