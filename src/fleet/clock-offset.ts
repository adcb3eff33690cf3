/** Clocks of machines drift by about 50 ms in this time. */
const WINDOW_MS = 600_000
const PART_MS = 60_000
const JUMP_MS = 2_000
/** A stall of the network delays one or two heartbeats, not three. */
const JUMP_SAMPLES = 3

/**
 * SPEC FL44. How far one clock is ahead of another. Each sample is the offset plus the delay of a
 * message, so the smallest of the recent ones is nearest to the truth.
 */
export class ClockOffset {
  /** The smallest sample of each minute, oldest first. */
  #parts: { readonly from: number; min: number }[] = []
  /** Samples in succession that are far above the smallest. */
  #above: number[] = []

  /** Undefined before the first sample. */
  get ms(): number | undefined {
    return this.#parts.length > 0 ? Math.min(...this.#parts.map(({ min }) => min)) : undefined
  }

  /** `now` is any clock that is not set. */
  add(sample: number, now: number): void {
    const known = this.ms
    if (known === undefined || sample - known <= JUMP_MS) this.#above = []
    else this.#above.push(sample)
    if (this.#above.length >= JUMP_SAMPLES) {
      // A clock was set back: what was measured before it says nothing any more.
      this.#parts = [{ from: now, min: Math.min(...this.#above) }]
      this.#above = []
      return
    }
    this.#parts = this.#parts.filter(({ from }) => now - from < WINDOW_MS)
    const last = this.#parts.at(-1)
    if (last && now - last.from < PART_MS) last.min = Math.min(last.min, sample)
    else this.#parts.push({ from: now, min: sample })
  }
}
