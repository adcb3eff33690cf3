import type { LoopSign } from '../../agents/loops.ts'

/** What a session in a loop has done since it last wanted to stop. */
export interface Effort {
  readonly failing?: string
  readonly changed: boolean
}

interface Turn {
  failing: string | undefined
  changed: boolean
}

/** Sessions whose tools are noted: those in loops, and no more than can be. */
const SESSIONS_MAX = 1_000

/** SPEC LP74. Whether the turns of a loop lead anywhere, by the tools that they use. */
export class Turns {
  readonly #turns = new Map<string, Turn>()

  note({ session, call, failed, changes }: Extract<LoopSign, { is: 'tool' }>): void {
    const turn = this.#turns.get(session) ?? { failing: undefined, changed: false }
    if (failed) turn.failing = call
    else if (turn.failing === call) turn.failing = undefined
    turn.changed ||= changes
    this.#turns.delete(session)
    this.#turns.set(session, turn)
    if (this.#turns.size > SESSIONS_MAX) this.#turns.delete(this.#turns.keys().next().value ?? '')
  }

  effortOf(session: string): Effort {
    const { failing, changed = false } = this.#turns.get(session) ?? {}
    return { changed, ...(failing !== undefined && { failing }) }
  }

  forget(session: string): void {
    this.#turns.delete(session)
  }
}
