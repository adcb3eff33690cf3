import { isOpenSession, type Known } from './guess.ts'
import { FORGET_BATCH } from './limits.ts'

/** SPEC F1. Picks the session to forget: the oldest closed one, or the oldest of all. */
export class ForgetQueue {
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
  const closed: string[] = []
  for (const id of ids) {
    if (longest.length < FORGET_BATCH) longest.push(id)
    if (!isOpenSession(known, id)) closed.push(id)
    if (closed.length >= FORGET_BATCH) break
  }
  return closed.length > 0 ? closed : longest
}
