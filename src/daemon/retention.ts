/** How long the log is stored: a month answers "what happened there?" and stays small. */
const KEEP_MS = 30 * 86_400_000
const SIZE_MAX_BYTES = 1_000_000_000
const ROUND_MS = 3_600_000
/** Not during a start, which is busy enough. */
const FIRST_MS = 60_000
/** Reports wait while a slice is deleted: this many rows take about 20 ms. */
const SLICE_ROWS = 2_000
const PAUSE_MS = 50

interface Prunable {
  prune(options: {
    readonly now: number
    readonly keepMs: number
    readonly sizeMaxBytes: number
    readonly sliceRows: number
  }): { readonly more: boolean }
}

/** Deletes old and excess entries every hour, one slice at a time. */
export class Retention {
  readonly #log: Prunable
  readonly #complain: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined

  constructor(log: Prunable, complain: (error: unknown) => void) {
    this.#log = log
    this.#complain = complain
  }

  start(): void {
    this.#next(FIRST_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #next(afterMs: number): void {
    this.#timer = setTimeout(() => this.#slice(), afterMs)
    this.#timer.unref()
  }

  #slice(): void {
    let more = false
    try {
      const limits = { keepMs: KEEP_MS, sizeMaxBytes: SIZE_MAX_BYTES, sliceRows: SLICE_ROWS }
      more = this.#log.prune({ now: Date.now(), ...limits }).more
    } catch (error) {
      this.#complain(error)
    }
    this.#next(more ? PAUSE_MS : ROUND_MS)
  }
}
