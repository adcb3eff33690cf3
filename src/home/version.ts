import { readFileSync } from 'node:fs'

/** The version of this code: beside it in a checkout as in the published package. */
export function ownVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return String(JSON.parse(manifest).version)
}

/** Whether `a` is a later version than `b`; an invalid version is older than any. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  // 1.0.0 comes after 1.0.0-beta.
  return b.includes('-') && !a.includes('-')
}

function partsOf(version: string): number[] {
  return version
    .split('-', 1)
    .join('')
    .split('.')
    .map((part) => Number.parseInt(part, 10))
    .map((part) => (Number.isFinite(part) ? part : -1))
}
