import { DAYS, type Quiet } from './settings.ts'

/** The user's clock: the day of the week from Sunday, and the minute of the day. */
export type LocalClock = (at: number) => { readonly day: number; readonly minute: number }

const MINUTE_MS = 60_000
const DAY_MIN = 1_440

/** A change to or from summer time moves the clock by an hour at most, in some places by half. */
const STEP_MIN = 30

/** SPEC NO3. Hours that cross midnight belong to the day on which they begin. */
export function isQuietHour(hours: readonly Quiet[], at: number, clock: LocalClock): boolean {
  return quietMinutes(hours, at, clock) > 0
}

/** When the quiet hours end, by the user's clock; undefined if never. */
export function quietEndsAt(
  hours: readonly Quiet[],
  from: number,
  clock: LocalClock,
): number | undefined {
  let at = from - (from % MINUTE_MS)
  for (const giveUpAt = from + 8 * DAY_MIN * MINUTE_MS; at < giveUpAt; ) {
    const left = quietMinutes(hours, at, clock)
    if (left === 0) return Math.max(at, from)
    at += Math.min(left, STEP_MIN) * MINUTE_MS
  }
  return undefined
}

/** Minutes until the end of the present quiet hours; 0 if there are none. */
function quietMinutes(hours: readonly Quiet[], at: number, clock: LocalClock): number {
  const { day, minute } = clock(at)
  return Math.max(0, ...hours.map((one) => minutesLeft(one, day, minute)))
}

function minutesLeft({ from, to, days }: Quiet, day: number, minute: number): number {
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  const length = (end - begin + DAY_MIN) % DAY_MIN || DAY_MIN
  const isOn = (which: number) => {
    const word = DAYS[(which + 7) % 7]
    return !days || (word !== undefined && days.includes(word))
  }
  const today = minute - begin
  if (today >= 0 && today < length && isOn(day)) return length - today
  const yesterday = today + DAY_MIN
  return yesterday < length && isOn(day - 1) ? length - yesterday : 0
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** By the time zone of this process. */
export const localClock: LocalClock = (at) => {
  const date = new Date(at)
  return { day: date.getDay(), minute: date.getHours() * 60 + date.getMinutes() }
}
