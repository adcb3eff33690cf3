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
 * Sessions to which a process was given because it started in their folder (SPEC L4), each as it
 * would be without the guess: another session may turn out to be the process's.
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
   * A newer word of the session itself proves the guess. An older one, and any of a process it had
   * before, is its own with or without the guess.
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

  /** The guess was wrong: what the session is without it. */
  revoke(session: string): Facts | undefined {
    const guess = this.#guesses.get(session)
    this.#guesses.delete(session)
    return guess?.before
  }
}
