import { createHash } from 'node:crypto'

const HASH_CHARS = 22

/** SPEC FL31. A session's id may have characters that a key may not: its hash stands for it. */
export function rowKeyOf(machine: string, session: string): string {
  const hash = createHash('sha256').update(session).digest('base64url')
  return `${rowPrefixOf(machine)}${hash.slice(0, HASH_CHARS)}`
}

export function rowPrefixOf(machine: string): string {
  return `row.${machine}.`
}
