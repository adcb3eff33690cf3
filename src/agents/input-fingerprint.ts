import type { Fields } from './read.ts'

/** Limits on values and on characters of each: simultaneous calls differ well before that. */
const FINGERPRINT_VALUES_MAX = 64
const FINGERPRINT_CHARS_MAX = 256

/**
 * PermissionRequest has no tool id, so equal input links it to its PreToolUse (SPEC W4). Inputs may
 * be megabytes and nested: length and head of the first values distinguish open calls.
 */
export function inputFingerprint(input: unknown): string {
  let hash = 0x811c9dc5
  const mix = (part: string) => {
    for (let i = 0; i < part.length && i < FINGERPRINT_CHARS_MAX; i++)
      hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ part.length, 0x01000193)
  }
  const queue: unknown[] = [input]
  for (let i = 0; i < queue.length && i < FINGERPRINT_VALUES_MAX; i++) {
    const value = queue[i]
    if (typeof value !== 'object' || value === null) {
      mix(`${typeof value}${String(value)}`)
      continue
    }
    const keys = Object.keys(value).slice(0, FINGERPRINT_VALUES_MAX)
    mix(keys.join())
    queue.push(...keys.map((key) => (value as Fields)[key]))
  }
  return (hash >>> 0).toString(36)
}
