import type { Listing, Session } from '../../src/protocol/session.ts'

/** A listing as the daemon gives it: whole, unless said otherwise. */
export function aListing(sessions: readonly Session[], over: Partial<Listing> = {}): Listing {
  return { seq: 1, now: Date.now(), cursor: 'a-daemon.1', partial: false, sessions, ...over }
}
