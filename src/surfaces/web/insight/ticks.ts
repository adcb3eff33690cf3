const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Usual units of time. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 240, 480].map((hours) => hours * HOUR_MS),
]

const TICKS_MAX = 4

/** Times for an axis up to this value: whole minutes or hours, not thousands of seconds. */
export function hourTicks(mostMs: number): readonly number[] {
  const step = STEPS_MS.find((one) => one * TICKS_MAX >= mostMs) ?? Math.ceil(mostMs / TICKS_MAX)
  const count = Math.max(1, Math.ceil(mostMs / step))
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}
