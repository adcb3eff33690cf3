import { type Calendar, QUARTER_MS } from './calendar.ts'

/**
 * Time distributed over the quarters of a calendar. An interval updates its first and last quarter,
 * and all between them at once: a session that waited for a month costs no more than one that
 * waited for a minute.
 */
export class Spread {
  readonly #calendar: Calendar
  /** Milliseconds in quarters that an interval fills in part. */
  readonly #parts: Float64Array
  /** How many more intervals fill this quarter than the one before it. */
  readonly #rises: Float64Array
  totalMs = 0

  constructor(calendar: Calendar) {
    this.#calendar = calendar
    this.#parts = new Float64Array(calendar.hours.length)
    this.#rises = new Float64Array(calendar.hours.length + 1)
  }

  /** Within the calendar. */
  add(from: number, to: number): void {
    if (to <= from) return
    this.totalMs += to - from
    const first = this.#calendar.quarterOf(from)
    const last = this.#calendar.quarterOf(to)
    if (first === last) {
      this.#addPart(first, to - from)
      return
    }
    this.#addPart(first, this.#calendar.beginOf(first + 1) - from)
    this.#addPart(last, to - this.#calendar.beginOf(last))
    this.#rise(first + 1, 1)
    this.#rise(last, -1)
  }

  /** Milliseconds per key, where `keys` maps a quarter to its key. */
  by(keys: Uint8Array | Uint16Array, count: number): Float64Array {
    const sums = new Float64Array(count)
    let filled = 0
    for (let i = 0; i < keys.length; i += 1) {
      filled += this.#rises[i] ?? 0
      const key = keys[i] ?? 0
      sums[key] = (sums[key] ?? 0) + filled * QUARTER_MS + (this.#parts[i] ?? 0)
    }
    return sums
  }

  #addPart(quarter: number, ms: number): void {
    // The end of the calendar may be the first moment after its last quarter.
    if (quarter < this.#parts.length) this.#parts[quarter] = (this.#parts[quarter] ?? 0) + ms
  }

  #rise(quarter: number, by: number): void {
    this.#rises[quarter] = (this.#rises[quarter] ?? 0) + by
  }
}
