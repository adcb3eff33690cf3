/** A date has whole seconds, and may be computed from the time since boot: it varies by one. */
const START_SLACK_MS = 2_000

/**
 * SPEC S14. Whether two starts may be of one process. Linux counts ticks since boot, other systems
 * have a date to the second; starts in different forms prove nothing.
 */
export function isSameStart(one: string, other: string): boolean {
  const [date, otherDate] = [dateOfStart(one), dateOfStart(other)]
  if (date !== undefined && otherDate !== undefined)
    return Math.abs(date - otherDate) <= START_SLACK_MS
  return one === other || (date === undefined) !== (otherDate === undefined)
}

/** `Sun Nov  1 10:00:00 2026`, as `ps` prints it in UTC; undefined for anything else. */
export function dateOfStart(start: string): number | undefined {
  return DATE.test(start) ? Date.parse(`${start} UTC`) : undefined
}

const DATE = /^\w{3}\s+\w{3}\s+\d+\s+[\d:]{8}\s+\d{4}$/
