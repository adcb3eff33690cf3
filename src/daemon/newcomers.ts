/**
 * SPEC LI3. Far more agents than a machine runs. Hooks cannot be refused and are not counted here;
 * whoever posts reports under made-up names gets so far.
 */
const OPEN_MAX = 2_000

/** Counting them takes a look at all. */
const COUNT_MS = 1_000

/** Whether posted reports may begin one more session. */
export class Newcomers {
  readonly #count: () => number
  readonly #now: () => number
  #counted = 0
  #at = Number.NEGATIVE_INFINITY

  constructor(count: () => number, now: () => number) {
    this.#count = count
    this.#now = now
  }

  admit(): boolean {
    const now = this.#now()
    if (now - this.#at >= COUNT_MS || now < this.#at) {
      this.#counted = this.#count()
      this.#at = now
    }
    if (this.#counted >= OPEN_MAX) return false
    this.#counted += 1
    return true
  }
}
