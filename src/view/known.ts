import type { Asks, Listing, Session, SessionChange } from '../protocol/session.ts'
import { shownVerdict } from '../protocol/session-of.ts'

/** What whoever follows the daemon knows. */
export interface Known {
  readonly sessions: ReadonlyMap<string, Session>
  /** The last change that is in what is known of each session; what is older says nothing new. */
  readonly heard: ReadonlyMap<string, number>
}

/**
 * A listing replaces what is known, but for what was heard since it was made; a partial one only
 * what it tells of.
 */
export function afterListing(known: Known, listing: Listing): Known {
  if (listing.partial && listing.sessions.length === 0) return known
  const { sessions: before, heard } = known
  const isNewer = (id: string) => (heard.get(id) ?? 0) > listing.seq
  const kept = [...before].filter(([id]) => listing.partial || isNewer(id))
  // Heard of since, and not known: it is gone.
  const listed = listing.sessions.filter(({ id }) => !isNewer(id))
  const still = listing.partial ? heard : [...heard].filter(([id]) => isNewer(id))
  return {
    sessions: new Map([...kept, ...listed.map((session) => [session.id, session] as const)]),
    heard: new Map([...still, ...listed.map(({ id }) => [id, listing.seq] as const)]),
  }
}

/**
 * Changes of sessions that are known; of others the next listing tells. One that a listing had
 * before it came changes nothing: the listing may know more.
 */
export function afterChanges({ sessions, heard }: Known, changes: readonly SessionChange[]): Known {
  const after = { sessions: new Map(sessions), heard: new Map(heard) }
  for (const change of changes) {
    const known = after.sessions.get(change.session)
    if (change.kind === 'verdict' && !known) continue
    if (change.id <= (after.heard.get(change.session) ?? 0)) continue
    after.heard.set(change.session, change.id)
    if (change.kind === 'gone') after.sessions.delete(change.session)
    else if (known)
      after.sessions.set(change.session, { ...known, ...shownVerdict(change.verdict) })
  }
  return after
}

/**
 * What a session asks has changed; of one that is not known the next listing tells. One may be on
 * its way that was made before: the next puts it right.
 */
export function afterAsks({ sessions }: Known, { session, asks }: Asks): Pick<Known, 'sessions'> {
  const known = sessions.get(session)
  return { sessions: known ? new Map(sessions).set(session, { ...known, asks }) : sessions }
}
