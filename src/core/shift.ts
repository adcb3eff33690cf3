/**
 * SPEC M8. The same data with every time in it moved. Times are recognised by their names: `at`,
 * `since`, anything that ends in `At`, and all of `heard`. So a fact added later is moved too if
 * its name follows the convention.
 */
export function shifted<T>(value: T, byMs: number, isTime = false): T {
  if (typeof value === 'number') return (isTime ? value + byMs : value) as T
  if (Array.isArray(value)) return value.map((entry) => shifted(entry, byMs)) as T
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, entry] of Object.entries(value))
    copy[key] =
      key === 'heard' ? everyTime(entry, byMs) : shifted(entry, byMs, /^(at|since)$|At$/.test(key))
  return copy as T
}

function everyTime(heard: object, byMs: number): object {
  const times = Object.entries(heard).map(([source, at]) => [source, shifted(at, byMs, true)])
  return Object.fromEntries(times)
}
