import type { Listing } from '../protocol/session.ts'

/** What has long been closed is listed no more, and nothing tells of that. */
const WHOLE_MS = 60_000

/** Gives the id of the newest change that the listing contains; none where nobody answers. */
export type List = (what?: 'all' | 'new') => Promise<number | undefined>

export interface ListerParts {
  readonly ask: (since: string | undefined) => Promise<Listing>
  readonly tell: (listing: Listing) => void
}

/**
 * Listings for a view, one at a time, of what is new since the one before the last: what came late
 * by another way is put right by the next. Of all when that is wanted, or was long ago.
 */
export function lister({ ask, tell }: ListerParts): List {
  let busy: Promise<number | undefined> | undefined
  let cursors: readonly string[] = []
  let wholeAt = 0
  const next = async () => {
    try {
      const isDue = performance.now() - wholeAt > WHOLE_MS
      const listing = await ask(isDue ? undefined : cursors[0])
      cursors = [...cursors, listing.cursor].slice(-2)
      if (!listing.partial) wholeAt = performance.now()
      tell(listing)
      return listing.seq
    } catch {
      // That the daemon is gone is told by who reads its events.
      return undefined
    }
  }
  return async (what = 'new') => {
    if (what === 'all') {
      await busy
      cursors = []
    }
    busy ??= next().finally(() => {
      busy = undefined
    })
    return await busy
  }
}
