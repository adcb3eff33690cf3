import type { Session } from '../protocol/session.ts'

/** What tells whether a row is of now; a verdict of this machine always is. */
export interface Heard {
  /** Since when its machine has not been heard from. */
  readonly stale?: number | null | undefined
}

/**
 * SPEC FL82. The one rule: a session whose machine is not heard from keeps its last state, which
 * may be wrong by now. It calls nobody, is counted as nothing but unreachable, and comes after
 * those that are known. A closed one stays closed.
 */
export function isStale<T extends Heard & Partial<Pick<Session, 'state'>>>(row: T): boolean {
  return typeof row.stale === 'number' && row.state !== 'closed'
}

export const UNREACHABLE = 'its machine is unreachable'
