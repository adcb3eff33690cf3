import type { Period } from '../protocol/constants.ts'

/** All time zones of today differ by whole quarters of an hour. */
export const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** How many days a period has, including today. */
const DAYS: Readonly<Record<Period, number>> = { today: 1, week: 7, month: 30 }

/** The hours and days of a period, as a clock in its zone shows them. */
export class Calendar {
  readonly from: number
  readonly to: number
  /** The names of its days, in order. */
  readonly days: readonly string[]
  /** For each quarter of an hour from `from` on: the hour of the day, and which day it is. */
  readonly hours: Uint8Array
  readonly dayIndexes: Uint16Array
  readonly #firstQuarter: number

  constructor(zone: Zone, from: number, to: number) {
    this.from = from
    this.to = to
    this.#firstQuarter = Math.floor(from / QUARTER_MS)
    const quarters = Math.max(1, Math.ceil(to / QUARTER_MS) - this.#firstQuarter)
    this.hours = new Uint8Array(quarters)
    this.dayIndexes = new Uint16Array(quarters)
    const days: string[] = []
    let last = Number.NaN
    for (let i = 0; i < quarters; i += 1) {
      const local = zone.localOf((this.#firstQuarter + i) * QUARTER_MS)
      const day = Math.floor(local / DAY_MS)
      if (day !== last) days.push(nameOfDay(day))
      last = day
      this.hours[i] = Math.floor((local % DAY_MS) / HOUR_MS)
      this.dayIndexes[i] = days.length - 1
    }
    this.days = days
  }

  quarterOf(t: number): number {
    return Math.floor(t / QUARTER_MS) - this.#firstQuarter
  }

  beginOf(quarter: number): number {
    return (this.#firstQuarter + quarter) * QUARTER_MS
  }
}

/** A time zone by its name: `Europe/Berlin`. */
export class Zone {
  readonly name: string
  readonly #format: Intl.DateTimeFormat
  readonly #known = new Map<number, number>()

  constructor(name: string) {
    this.name = name
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, ...NUMBERS })
  }

  /** The local time there, as if it were UTC. */
  localOf(t: number): number {
    return t + this.#offsetAt(t)
  }

  /** SPEC IN1. When the period that ends now began: at the midnight of its first day. */
  beginOf(period: Period, now: number): number {
    const today = Math.floor(this.localOf(now) / DAY_MS)
    return this.#midnight(today - DAYS[period] + 1)
  }

  /** The first moment of a day. Where clocks go forward at midnight it has no 00:00. */
  #midnight(day: number): number {
    const isBefore = (quarter: number) => this.localOf(quarter * QUARTER_MS) < day * DAY_MS
    let before = (day - 1) * QUARTERS_A_DAY
    let there = (day + 1) * QUARTERS_A_DAY
    while (there - before > 1) {
      const middle = Math.floor((before + there) / 2)
      if (isBefore(middle)) before = middle
      else there = middle
    }
    return there * QUARTER_MS
  }

  /**
   * Computed once a day, because it takes 10 µs and a month has 3,000 quarters; where a clock
   * changes within a day, once an hour, and where within an hour, once a quarter.
   */
  #offsetAt(t: number): number {
    for (const step of STEPS_MS) {
      const begin = Math.floor(t / step) * step
      const offset = this.#offsetOf(begin)
      if (offset === this.#offsetOf(begin + step)) return offset
    }
    return this.#offsetOf(Math.floor(t / QUARTER_MS) * QUARTER_MS)
  }

  #offsetOf(t: number): number {
    const known = this.#known.get(t)
    if (known !== undefined) return known
    const offset = this.#ask(t)
    this.#known.set(t, offset)
    return offset
  }

  #ask(t: number): number {
    const given = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
    for (const { type, value } of this.#format.formatToParts(t))
      if (type in given) given[type as keyof typeof given] = Number(value)
    const { year, month, day, hour, minute, second } = given
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(t / 1000) * 1000
  }
}

const QUARTERS_A_DAY = DAY_MS / QUARTER_MS
const STEPS_MS = [DAY_MS, HOUR_MS]

const NUMBERS = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const satisfies Intl.DateTimeFormatOptions

function nameOfDay(day: number): string {
  const at = day * DAY_MS
  return new Date(at).toISOString().slice(0, 10)
}
