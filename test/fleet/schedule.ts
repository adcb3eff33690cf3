import { Appointments } from '../../src/core/appointments.ts'

/** Simulated time: what is to happen when, in order. */
export class Schedule {
  readonly #due = new Appointments()
  readonly #acts = new Map<string, () => void>()
  #made = 0
  now = 0

  after(ms: number, act: () => void): void {
    this.at(this.now + ms, act)
  }

  at(time: number, act: () => void): void {
    this.#made += 1
    const id = String(this.#made)
    this.#acts.set(id, act)
    this.#due.set(id, Math.max(this.now, time))
  }

  /** Everything up to a time; promises are settled after each act. */
  async runUntil(time: number): Promise<void> {
    for (let next = this.#due.first(); next && next.at <= time; next = this.#due.first()) {
      this.now = next.at
      this.#due.set(next.id, undefined)
      this.#acts.get(next.id)?.()
      this.#acts.delete(next.id)
      for (let i = 0; i < PROMISES_MAX; i++) await undefined
    }
    this.now = time
  }
}

/** More than any chain of promises in the models is long. */
const PROMISES_MAX = 8
