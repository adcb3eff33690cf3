import { isOpenSession, type Known } from './guess.ts'
import { LEAST_MISSED_AT_ONCE } from './limits.ts'

/** SPEC F1. Picks the session to forget: the oldest closed one, or the oldest of all. */
export class LeastMissed {
  /** In reverse order: the next to forget is last. */
  #found: string[] = []

  next(known: Known, all: ReadonlyMap<string, unknown>): string {
    while (all.size > 0 && !all.has(this.#found.at(-1) ?? '')) {
      this.#found.pop()
      if (this.#found.length === 0) this.#found = find(known, all.keys()).toReversed()
    }
    return this.#found.pop() ?? ''
  }
}

function find(known: Known, ids: Iterable<string>): readonly string[] {
  const longest: string[] = []
  const shut: string[] = []
  for (const id of ids) {
    if (longest.length < LEAST_MISSED_AT_ONCE) longest.push(id)
    if (!isOpenSession(known, id)) shut.push(id)
    if (shut.length >= LEAST_MISSED_AT_ONCE) break
  }
  return shut.length > 0 ? shut : longest
}
