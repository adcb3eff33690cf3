/** At most 30 frames a second, whatever happens. */
const FRAME_MS = 34
/** What answers a key does not wait for a frame that was drawn just before. */
export const KEY_MS = 8
/** Changes that nobody waits for are drawn together: seven times a second is calm, and cheap. */
export const CALM_MS = 150

export interface Clock {
  now(): number
  /** Returns how to call it off. */
  after(ms: number, act: () => void): () => void
}

/** Draws soon after it was asked to, and never too often. */
export class Pace {
  readonly #draw: () => void
  readonly #clock: Clock
  #lastAt = Number.NEGATIVE_INFINITY
  #beforeLastAt = Number.NEGATIVE_INFINITY
  #due: { readonly at: number; readonly cancel: () => void } | undefined

  constructor(draw: () => void, clock: Clock) {
    this.#draw = draw
    this.#clock = clock
  }

  /** `apartMs`: how long after the last frame at the earliest. */
  ask(apartMs: number): void {
    const now = this.#clock.now()
    // Two frames may be close, three may not: the next one makes up for it.
    const at = Math.max(now, this.#lastAt + apartMs, this.#beforeLastAt + 2 * FRAME_MS)
    if (this.#due && this.#due.at <= at) return
    this.#due?.cancel()
    this.#due = { at, cancel: this.#clock.after(at - now, () => this.#now()) }
  }

  stop(): void {
    this.#due?.cancel()
    this.#due = undefined
  }

  #now(): void {
    this.#due = undefined
    this.#beforeLastAt = this.#lastAt
    this.#lastAt = this.#clock.now()
    this.#draw()
  }
}
