/**
 * SPEC LI3. Far more agents than a machine runs. Hooks cannot be refused and are not counted here;
 * this limits senders that post reports under made-up names.
 */
const OPEN_MAX = 2_000

/** Counting them is a pass over all sessions. */
const COUNT_MS = 1_000

/** Whether posted reports may start another session. */
export class NewSessionLimit {
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
