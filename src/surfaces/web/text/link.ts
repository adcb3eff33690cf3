const SCHEMES = new Set(['http:', 'https:', 'mailto:'])
const ADDRESS_MAX = 2_000

export interface SafeLink {
  readonly href: string
  /** Where it leads, for the reader: its words may say anything. */
  readonly host: string
}

/** SPEC PG21. An agent's address that may be followed; null for any other. */
export function linkOf(address: string): SafeLink | null {
  if (address.length > ADDRESS_MAX) return null
  // A parser drops tabs and line breaks: `java\nscript:` would be one word to it.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u0020\u007f-\u00a0]/.test(address)) return null
  try {
    const url = new URL(address)
    if (!SCHEMES.has(url.protocol) || url.username !== '' || url.password !== '') return null
    const { href } = url
    return { href, host: url.protocol === 'mailto:' ? url.pathname : url.host }
  } catch {
    return null
  }
}
