import { KEYS_MAX, LETTERS_MAX } from '../../../protocol/constants.ts'
import type { PaneInput } from '../../../protocol/pane.ts'
import { api, sessionPath } from '../api.ts'

/** Keys within this time go together: few requests, and no delay that a person notices. */
const GATHER_MS = 20

/** Sends typed keys in order, one request at a time. */
export class KeySender {
  readonly #session: string
  readonly #onTrouble: (why: string) => void
  #waiting: PaneInput[] = []
  #isSending = false

  constructor(session: string, onTrouble: (why: string) => void) {
    this.#session = session
    this.#onTrouble = onTrouble
  }

  type(typed: readonly PaneInput[]): void {
    this.#waiting.push(...typed.flatMap(fitting))
    if (!this.#isSending) void this.#send()
  }

  /** Failed keys are not sent again: by then they would mean something else. */
  async #send(): Promise<void> {
    this.#isSending = true
    try {
      while (this.#waiting.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
        const keys = joined(this.#waiting.splice(0, KEYS_MAX))
        await api.post(sessionPath(this.#session, 'keys'), { keys, where: 'page' })
      }
    } catch (error) {
      this.#waiting = []
      this.#onTrouble((error as Error).message)
    } finally {
      this.#isSending = false
    }
  }
}

function fitting(one: PaneInput): PaneInput[] {
  if (!('text' in one) || one.text.length <= LETTERS_MAX) return [one]
  return Array.from({ length: Math.ceil(one.text.length / LETTERS_MAX) }, (_, i) => ({
    text: one.text.slice(i * LETTERS_MAX, (i + 1) * LETTERS_MAX),
  }))
}

/** Joins consecutive letters into one text. */
function joined(typed: readonly PaneInput[]): PaneInput[] {
  const keys: PaneInput[] = []
  for (const one of typed) {
    const last = keys.at(-1)
    const isLetters = 'text' in one && last !== undefined && 'text' in last
    if (isLetters && last.text.length + one.text.length <= LETTERS_MAX)
      keys[keys.length - 1] = { text: last.text + one.text }
    else keys.push(one)
  }
  return keys
}
