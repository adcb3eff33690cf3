/**
 * SPEC IN33. Loads something each time that it may have changed, never twice at once, and with a
 * pause after each load.
 */
export class Reload {
  readonly #load: () => Promise<void>
  readonly #pauseMs: (tookMs: number) => number
  #timer: ReturnType<typeof setTimeout> | undefined
  #notBefore: number
  #loading = false
  #wanted = false
  #stopped = false

  constructor(load: () => Promise<void>, pauseMs: (tookMs: number) => number, firstAfterMs = 0) {
    this.#load = load
    this.#pauseMs = pauseMs
    this.#notBefore = performance.now() + firstAfterMs
  }

  /** It may have changed. */
  want(): void {
    this.#wanted = true
    if (this.#stopped || this.#loading || this.#timer !== undefined) return
    const waitMs = Math.max(0, this.#notBefore - performance.now())
    this.#timer = setTimeout(() => void this.#run(), waitMs)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#timer = undefined
    this.#wanted = false
    this.#loading = true
    const begun = performance.now()
    await this.#load()
    this.#loading = false
    this.#notBefore = performance.now() + this.#pauseMs(performance.now() - begun)
    if (this.#wanted) this.want()
  }
}
