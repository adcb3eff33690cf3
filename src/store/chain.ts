import { createHash } from 'node:crypto'
import { canonicalJson } from '../core/json.ts'

/** An act of a user on a session through vigil. */
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
  /** SHA-256 of the uncut JSON. */
  readonly digest: string | null
  readonly previous: string
  readonly hash: string
}

/** An act of the log itself: a beginning, or the removal of the oldest acts. */
export const CHAIN = 'chain'
/** An act of the log itself: an entry is missing or was changed. */
export const GAP = 'gap'

/** The previous hash of a log's first act. */
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

/** The content of a note of removal: the last removed act and its hash. */
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
