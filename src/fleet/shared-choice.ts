import type { SharedRow } from './shapes.ts'

/** A row is about 1 KB: a machine takes up to 10 MB of the bucket, and of each viewer's memory. */
export const SHARED_MAX = 10_000
/** SPEC FL206. Not by `toLocaleString`: each heartbeat would need it. */
export const SHARED_MAX_WORDS = '10,000'

export interface Candidate {
  readonly id: string
  readonly row: SharedRow
  /** It is in the bucket already. */
  readonly isPublished: boolean
}

/** SPEC FL36. The sessions beyond the limit: those that their user misses least. */
export function leftOut(candidates: readonly Candidate[]): Set<string> {
  if (candidates.length <= SHARED_MAX) return new Set()
  const ranked = candidates.map((candidate) => ({ id: candidate.id, rank: rankOf(candidate) }))
  const rest = ranked.toSorted((a, b) => a.rank - b.rank).slice(SHARED_MAX)
  return new Set(rest.map(({ id }) => id))
}

/** Of equals, those that are published stay: otherwise rows would come and go. */
function rankOf({ row: { session }, isPublished }: Candidate): number {
  const { state, unread } = session
  const need = state === 'waiting' || unread ? 0 : state === 'closed' ? 2 : 1
  return 2 * need + (isPublished ? 0 : 1)
}
