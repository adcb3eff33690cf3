/** A check may be late by a second or two under load; a machine sleeps longer. */
const WAKE_MIN_MS = 5_000
/** Clocks are slewed all the time; setting one is a larger step. */
const STEP_BACK_MIN_MS = 1_000

export interface Clocks {
  readonly now: () => number
  /** A clock that cannot be set. On Linux it stops while the machine sleeps, on macOS it runs. */
  readonly monotonicMs: () => number
}

export interface ClockEvents {
  readonly onWake?: (gapMs: number) => void
  readonly onStepBack?: (ms: number) => void
}

/**
 * Reports that time passed unobserved: the machine slept, the daemon was stopped, or the clock was
 * set forward; and that the clock was set back. Call it at regular intervals.
 */
export class ClockWatch {
  readonly #clocks: Clocks
  readonly #everyMs: number
  readonly #events: ClockEvents
  #wallMs: number
  #monotonicMs: number

  constructor(everyMs: number, clocks: Clocks, events: ClockEvents) {
    this.#everyMs = everyMs
    this.#clocks = clocks
    this.#events = events
    this.#wallMs = clocks.now()
    this.#monotonicMs = clocks.monotonicMs()
  }

  look(): void {
    const wallMs = this.#clocks.now()
    const monotonicMs = this.#clocks.monotonicMs()
    const passedMs = wallMs - this.#wallMs
    const steppedMs = passedMs - (monotonicMs - this.#monotonicMs)
    this.#wallMs = wallMs
    this.#monotonicMs = monotonicMs
    const gapMs = Math.max(steppedMs, passedMs - this.#everyMs)
    if (steppedMs < -STEP_BACK_MIN_MS) this.#events.onStepBack?.(-steppedMs)
    else if (gapMs > WAKE_MIN_MS) this.#events.onWake?.(gapMs)
  }
}
