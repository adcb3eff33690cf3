import type { AdminPolicy } from '../../home/policy.ts'
import type { Session } from '../../protocol/session.ts'
import { PROMPT_LOGGED_CHARS } from './limits.ts'
import type { PaneActs } from './pane-acts.ts'
import type { SessionInput } from './session-input.ts'
import type { By } from './shapes.ts'
import { whyNoTyping } from './switches.ts'
import { whyNot } from './type-into.ts'

interface Parts {
  readonly acts: PaneActs
  readonly policy: Pick<AdminPolicy, 'whyNot'>
  /** Whether the user has allowed typing into the session. */
  readonly allows: (session: string) => boolean
  readonly input: Pick<SessionInput, 'prompt' | 'isServed'>
}

const BY_LOOP = { who: 'its loop', where: 'daemon' } as const satisfies By

/**
 * SPEC WD3. What a loop types into its session's pane: under the same switch as a person's typing,
 * and logged in the same way. What is not typed reaches the agent at its next Stop.
 */
export class LoopPrompts {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  isServed(session: string): boolean {
    return this.#parts.input.isServed(session)
  }

  /** Returns why it could not be typed. */
  async type(session: Session, text: string): Promise<string | undefined> {
    const off = this.#whyOff(session)
    if (off !== undefined) return off
    try {
      this.#parts.acts.note(session.id, 'prompt', BY_LOOP, cutPrompt(text))
    } catch (error) {
      return `the log could not be written: ${(error as Error).message}`
    }
    return this.#parts.input.prompt(session, text)
  }

  /** Why nothing could be typed at this moment. */
  async whyNot(session: Session): Promise<string | undefined> {
    const off = this.#whyOff(session)
    return off ?? (this.#parts.input.isServed(session.id) ? undefined : await whyNot(session))
  }

  #whyOff(session: Session): string | undefined {
    const { policy, allows, input } = this.#parts
    return policy.whyNot('loops') ?? whyNoTyping(session, policy, allows, input.isServed)
  }
}

export function cutPrompt(text: string): string {
  const letters = [...text]
  return letters.length > PROMPT_LOGGED_CHARS
    ? `${letters.slice(0, PROMPT_LOGGED_CHARS - 1).join('')}…`
    : text
}
