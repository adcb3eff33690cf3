/** At most 30 frames a second, whatever happens. */
export const FRAME_MS = 34
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
  #due: { readonly at: number; readonly cancel: () => void } | undefined

  constructor(draw: () => void, clock: Clock) {
    this.#draw = draw
    this.#clock = clock
  }

  /** `apartMs`: how long after the last frame at the earliest. */
  ask(apartMs: number): void {
    const now = this.#clock.now()
    const at = Math.max(now, this.#lastAt + Math.max(FRAME_MS, apartMs))
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
    this.#lastAt = this.#clock.now()
    this.#draw()
  }
}
