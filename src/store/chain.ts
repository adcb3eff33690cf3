import { createHash } from 'node:crypto'
import { canonicalJson } from '../core/canonical.ts'

/** What somebody did to a session through vigil. */
export interface ActRow {
  readonly id: number
  readonly at: number
  readonly session: string
  readonly what: string
  readonly who: string
  /** Where it was done: on the page, in the live view. */
  readonly where: string
  readonly words: string
}

/** An act of the audit log: its hash covers its fields and the hash of the act before it. */
export interface ChainedAct extends ActRow {
  /** What a decision was about, as canonical JSON; cut when long. */
  readonly shown: string | null
  /** SHA-256 of the whole of it. */
  readonly digest: string | null
  readonly previous: string
  readonly hash: string
}

/** An act of the log itself: a beginning, or the removal of the oldest acts. */
export const CHAIN = 'chain'
/** An act of the log itself: something that was in the log is missing, or not as it was. */
export const GAP = 'gap'

/** What the first act of a log follows. */
export const GENESIS = '0'.repeat(64)

/** SPEC AU1. */
export function actHash(act: Omit<ChainedAct, 'hash'>): string {
  const { id, at, session, what, who, where, words, shown, digest, previous } = act
  const content = canonicalJson({ id, at, session, what, who, where, words, shown, digest })
  return sha256(`${previous}\n${content}`)
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** What a note of removal holds: the last act that was removed, and its hash. */
export interface Removal {
  readonly removedTo: number
  readonly hash: string
}

export function removalIn({ what, shown }: ChainedAct): Removal | undefined {
  if (what !== CHAIN || shown === null) return undefined
  try {
    const { removedTo, hash } = JSON.parse(shown) as Partial<Removal>
    return typeof removedTo === 'number' && typeof hash === 'string'
      ? { removedTo, hash }
      : undefined
  } catch {
    return undefined
  }
}
