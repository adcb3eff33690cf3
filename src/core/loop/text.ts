const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECOND_MS = 1_000

/** The beginning, with a mark where text is left out; never half a character. */
export function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = isHigh(text.charCodeAt(maxChars - 2)) ? maxChars - 2 : maxChars - 1
  return `${text.slice(0, cut)}…`
}

/** The end, likewise. */
export function tailOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const from = text.length - maxChars + 1
  return `…${text.slice(isHigh(text.charCodeAt(from - 1)) ? from + 1 : from)}`
}

/** On one line, for people: a message's last words, a command. */
export function oneLine(text: string, maxChars: number): string {
  return headOf(text.trim().replaceAll(/\s+/g, ' '), maxChars)
}

/** A code block that no line of the text can close. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.trimEnd()}\n${fence}`
}

/** `2 h 5 min`, `12 s`. */
export function roundedSpan(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS)
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS)
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`
  return minutes > 0 ? `${minutes} min` : `${Math.floor(ms / SECOND_MS)} s`
}

export function usd(amount: number): string {
  return `$${amount.toFixed(2)}`
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
