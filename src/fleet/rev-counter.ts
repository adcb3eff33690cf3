/** One write of the file for so many revisions; a restart skips the rest of them. */
export const REV_BLOCK = 1_000_000
/** Microseconds until the year 2200 are below what a number holds exactly. */
const CLOCK_MAX_MS = Date.UTC(2200, 0)

/**
 * SPEC FL26. Revisions that rise strictly, also over restarts and however the clock is set: those
 * up to the ceiling are reserved before one of them is used. A new run begins at the clock if
 * that is higher, so that a folder restored from a backup does not repeat revisions.
 */
export class RevCounter {
  #next: number
  #ceiling: number
  readonly #reserve: (ceiling: number) => void

  /** `reserve` stores the ceiling, or throws: no revision is given then. */
  constructor(ceiling: number, now: number, reserve: (ceiling: number) => void) {
    const byClock = now < CLOCK_MAX_MS ? Math.max(0, Math.floor(now)) * 1_000 : 0
    this.#next = Math.max(ceiling, byClock)
    this.#ceiling = this.#next
    this.#reserve = reserve
  }

  next(): number {
    if (this.#next >= this.#ceiling) {
      const ceiling = this.#next + REV_BLOCK
      this.#reserve(ceiling)
      this.#ceiling = ceiling
    }
    return this.#next++
  }
}
