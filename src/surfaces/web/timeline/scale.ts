/** The visible period. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** A tenth of a second fills the screen: shorter steps cannot be distinguished. */
const SIGHT_MIN_MS = 100

/** Zooms, with the moment under the pointer kept in place. */
export function zoomed(
  sight: TimeWindow,
  factor: number,
  at: number,
  whole: TimeWindow,
): TimeWindow {
  const length = lengthOf(sight)
  const wanted = Math.min(lengthOf(whole), Math.max(SIGHT_MIN_MS, length * factor))
  const share = length > 0 ? (at - sight.from) / length : 0.5
  const from = at - share * wanted
  return within({ from, to: from + wanted }, whole)
}

/** Earlier or later, by a fraction of the visible period. */
export function movedWindow(sight: TimeWindow, share: number, whole: TimeWindow): TimeWindow {
  const by = lengthOf(sight) * share
  return within({ from: sight.from + by, to: sight.to + by }, whole)
}

/** Moves to a span outside the visible period; otherwise changes nothing. */
export function showing(sight: TimeWindow, span: TimeWindow, whole: TimeWindow): TimeWindow {
  if (span.to > sight.from && span.from < sight.to) return sight
  const middle = (span.from + Math.min(span.to, span.from + lengthOf(sight))) / 2
  const half = lengthOf(sight) / 2
  return within({ from: middle - half, to: middle + half }, whole)
}

export function isWhole(sight: TimeWindow, whole: TimeWindow): boolean {
  return sight.from <= whole.from && sight.to >= whole.to
}

function within({ from, to }: TimeWindow, whole: TimeWindow): TimeWindow {
  const length = Math.min(to - from, lengthOf(whole))
  const begin = Math.min(Math.max(from, whole.from), whole.to - length)
  return { from: begin, to: begin + length }
}

function lengthOf({ from, to }: TimeWindow): number {
  return to - from
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Usual units of time. */
const STEPS = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14].map((days) => days * DAY),
]

export interface Tick {
  readonly at: number
  readonly words: string
}

/** Labels below the lanes: at most this many, at whole steps of the user's clock. */
export function ticksOf(sight: TimeWindow, most: number): readonly Tick[] {
  const wanted = lengthOf(sight) / Math.max(1, most)
  const step = STEPS.find((one) => one >= wanted) ?? 30 * DAY
  const local = new Date(sight.from).getTimezoneOffset() * MINUTE
  const ticks: Tick[] = []
  const first = Math.ceil((sight.from - local) / step) * step + local
  for (let at = first; at <= sight.to; at += step) ticks.push({ at, words: wordsOf(at, step) })
  return ticks
}

function wordsOf(at: number, step: number): string {
  const time = new Date(at)
  const clock = time.toTimeString()
  if (step >= DAY) return dayOf(time)
  if (step >= MINUTE) return clock.startsWith('00:00') ? dayOf(time) : clock.slice(0, 5)
  if (step >= SECOND) return clock.slice(0, 8)
  return `${clock.slice(6, 8)}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

function dayOf(time: Date): string {
  return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
}
