import type { Facts } from './facts.ts'
import { learn } from './learn.ts'
import { shifted } from './shift.ts'
import type { Signal } from './signal.ts'

interface Guess {
  readonly at: number
  readonly pid: number | undefined
  readonly before: Facts
}

/**
 * Sessions to which a process was given because it started in their folder (SPEC L4), each with its
 * facts without the guess: the process may turn out to belong to another session.
 */
export class Guesses {
  readonly #guesses = new Map<string, Guess>()

  has(session: string): boolean {
    return this.#guesses.has(session)
  }

  make(before: Facts | undefined, { at, about }: Signal): void {
    if (!before) return
    this.#guesses.set(before.session, { at, pid: about.pid, before })
  }

  /**
   * A newer signal of the session itself confirms the guess. An older one, or one from an earlier
   * process, belongs to the session with or without the guess.
   */
  hear(session: string, signal: Signal): void {
    const guess = this.#guesses.get(session)
    if (!guess) return
    const { about, at } = signal
    const named = about.session === session
    if (named && at > guess.at) this.#guesses.delete(session)
    else if (named || (about.pid !== undefined && about.pid !== guess.pid))
      this.#guesses.set(session, { ...guess, before: learn(guess.before, signal) })
  }

  shift(byMs: number): void {
    for (const [session, guess] of this.#guesses) this.#guesses.set(session, shifted(guess, byMs))
  }

  /** The guess was wrong: returns the facts without it. */
  revoke(session: string): Facts | undefined {
    const guess = this.#guesses.get(session)
    this.#guesses.delete(session)
    return guess?.before
  }
}
