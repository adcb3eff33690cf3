import { timerMs } from '../../home/timer.ts'

/** Something that time alone changes, and that says when. */
interface Ticking {
  /** By the clock of the ticker; undefined: never. */
  nextTick(): number | undefined
  tick(): void
}

/** SPEC FL137. One timer for parts that say when they are due: an idle fleet wakes nothing. */
export class Ticker {
  readonly #parts: readonly Ticking[]
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined
  #dueAt: number | undefined
  #closed = false

  constructor(parts: readonly Ticking[], now: () => number) {
    this.#parts = parts
    this.#now = now
  }

  /** Something happened: the next time may be sooner. */
  look(): void {
    if (this.#closed) return
    const times = this.#parts.flatMap((part) => part.nextTick() ?? [])
    const at = times.length === 0 ? undefined : Math.min(...times)
    if (at === this.#dueAt && this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#dueAt = at
    if (at === undefined) return
    this.#timer = setTimeout(() => this.#due(), timerMs(Math.max(1, at - this.#now()))).unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #due(): void {
    this.#timer = undefined
    this.#dueAt = undefined
    const now = this.#now()
    for (const part of this.#parts) if ((part.nextTick() ?? Infinity) <= now) part.tick()
    this.look()
  }
}
