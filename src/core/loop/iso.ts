/** The document's times: ISO 8601, to the second. */

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d+)?)(Z|[+-]\d\d:?\d\d)?$/i

/**
 * NaN for a text that is no time. Without a zone it is UTC, as all writers of this format mean it.
 */
export function timeOf(iso: string): number {
  const [, day = '', time = '', zone = 'Z'] = ISO.exec(iso.trim()) ?? []
  // Date.parse reads offsets only with a colon; `date` writes them without.
  const offset = zone.toUpperCase().replace(/^(.\d\d)(\d\d)$/, '$1:$2')
  return Date.parse(`${day}T${time.replace(',', '.')}${offset}`)
}

/**
 * Without fractions, which `jq` cannot read. Rounded down: a state never looks fresher than it is.
 * A value that is no time stays unreadable.
 */
export function isoOf(time: number): string {
  const MAX_TIME = 8_640_000_000_000_000
  if (!(Math.abs(time) <= MAX_TIME)) return 'invalid'
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}
