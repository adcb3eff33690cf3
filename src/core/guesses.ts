import type { Facts } from './facts.ts'
import { learn } from './learn.ts'
import type { Signal } from './signal.ts'

interface Guess {
  readonly at: number
  readonly before: Facts
}

/**
 * Closed sessions taken for resumed because a process started in their folder (SPEC L4), each as it
 * would be without the guess: another session may turn out to be the process's.
 */
export class Guesses {
  readonly #guesses = new Map<string, Guess>()

  has(session: string): boolean {
    return this.#guesses.has(session)
  }

  make(before: Facts, at: number): void {
    this.#guesses.set(before.session, { at, before })
  }

  /** A word of the session itself: a newer one proves the guess, an older one is still its own. */
  hear(session: string, signal: Signal): void {
    const guess = this.#guesses.get(session)
    if (!guess || signal.about.session !== session) return
    if (signal.at > guess.at) this.#guesses.delete(session)
    else this.#guesses.set(session, { at: guess.at, before: learn(guess.before, signal) })
  }

  /** The guess was wrong: what the session is without it. */
  revoke(session: string): Facts | undefined {
    const guess = this.#guesses.get(session)
    this.#guesses.delete(session)
    return guess?.before
  }
}
