/** At most 30 frames a second. */
const FRAME_MS = 34
/** The response to a key does not wait for a frame that was drawn just before. */
export const KEY_MS = 8
/** Changes without a key are drawn together: seven times a second is calm and cheap. */
export const CALM_MS = 150

export interface Clock {
  now(): number
  /** Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void
}

/** Draws soon after a request, but never too often. */
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

  /** `apartMs`: the least time since the last frame. */
  ask(apartMs: number): void {
    const now = this.#clock.now()
    // Two frames may be close together, three may not: the next one waits longer.
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
