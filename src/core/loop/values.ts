import { LOOP_MAX } from '../limits.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A loop that no user has looked at for a month is abandoned. */
const DURATION_MAX_MS = 30 * DAY_MS
const BUDGET_MAX_USD = 10_000

/** A value that an option does not accept; the message is for the user. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}

/** `90s`, `30m`, `2h`, `1h30m`, `1d`: the larger first, each once. */
export function parseDuration(option: string, value: string): number {
  const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(value.trim())
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = (parts ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0))
  const ms = days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS
  if (!parts || ms <= 0)
    throw new BadValue(`${option} ${value}: expected a time such as 90s, 30m, 2h, 1h30m or 1d`)
  if (ms > DURATION_MAX_MS) throw new BadValue(`${option} ${value}: at most 30d`)
  return ms
}

export function parseBudget(value: string): number {
  const usd = /^\$?\d+(\.\d+)?$/.test(value.trim()) ? Number(value.trim().replace('$', '')) : 0
  if (!(usd > 0)) throw new BadValue(`--budget ${value}: expected dollars, such as 5 or 0.50`)
  if (usd > BUDGET_MAX_USD) throw new BadValue(`--budget ${value}: at most ${BUDGET_MAX_USD}`)
  return usd
}

export function parseMax(value: string): number {
  return wholeNumber('--max', value, 1)
}

export function parsePatience(value: string): number {
  return wholeNumber('--patience', value, 0)
}

function wholeNumber(option: string, value: string, min: number): number {
  const number = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN
  if (!(number >= min && number <= LOOP_MAX))
    throw new BadValue(`${option} ${value}: expected a whole number from ${min} to ${LOOP_MAX}`)
  return number
}
