/** How long a machine may take to reply; clocks drift apart as far in half a day. */
const TOLERANCE_MS = 3_000
/** SPEC FL45. Two heartbeats may be lost: a third is due every five seconds. */
export const BEAT_SILENCE_MAX_MS = 10_000
const FRESH_MS = BEAT_SILENCE_MAX_MS + TOLERANCE_MS

/**
 * SPEC FL160, FL161. How old heartbeats are by the clock of the machine that signed them. When a
 * server stored them is for the server to say; but a reply signed for a call of this run was made
 * after that call. Times are by a clock of this machine that is never set.
 */
export class Liveness {
  #word: { readonly at: number; readonly mono: number } | undefined
  #freshUntil = Number.NEGATIVE_INFINITY

  /** The machine's clock showed `at` when its reply was made, a moment ago. */
  hear(at: number, mono: number): void {
    this.#word = { at, mono }
    this.#freshUntil = mono + FRESH_MS
  }

  /** A heartbeat was made at `at`. Returns whether the machine must be asked for its clock. */
  take(at: number, mono: number): boolean {
    if (!this.#word) return true
    const ageMs = this.#word.at + (mono - this.#word.mono) - at
    // From the future: its clock was set, or this one slept.
    if (ageMs >= -TOLERANCE_MS)
      this.#freshUntil = Math.max(this.#freshUntil, mono - ageMs + FRESH_MS)
    return Math.abs(ageMs) > TOLERANCE_MS
  }

  /** Until when what the machine signed shows that it is there. */
  get freshUntil(): number {
    return this.#freshUntil
  }

  /** What the machine's times lack to this clock, as far as a server says nothing else. */
  correct(offsetMs: number): number {
    if (!this.#word) return offsetMs
    const ownMs = this.#word.mono - this.#word.at
    return Math.abs(offsetMs - ownMs) > TOLERANCE_MS ? ownMs : offsetMs
  }
}
