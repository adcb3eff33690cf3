import type { Complain } from '../sources/arrival.ts'

/** Listeners to one kind of event, called in the order in which they subscribed. */
export class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>()

  /** Returns how to unsubscribe. */
  add(listener: (news: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  emit(news: T): void {
    for (const listener of this.#listeners) listener(news)
  }
}

/** Calls `act`; its error is logged and stops no other listener. */
export function logErrors(complain: Complain, what: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    complain(what, { why: String(error) })
  }
}
