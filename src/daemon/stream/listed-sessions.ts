import { FRESH_MAX_MS } from '../../core/limits.ts'
import type { Tracker } from '../../core/tracker.ts'
import type { Session } from '../../protocol/session.ts'
import { RowChanges } from './row-changes.ts'

export interface ListedParts {
  readonly tracker: Tracker
  /** A session that is watched. */
  readonly live: (id: string) => Session | undefined
  readonly now: () => number
  /** SPEC FL123. Sessions of other machines, by their addresses. */
  readonly remote: OtherRows
}

export interface OtherRows {
  ids(): Iterable<string>
  row(address: string): Session | undefined
  /** Of the same row, without making it. */
  stateOf(address: string): Pick<Session, 'state' | 'since'> | undefined
}

export const NO_OTHER_ROWS: OtherRows = {
  ids: () => [],
  row: () => undefined,
  stateOf: () => undefined,
}

/** SPEC P16, P20. The list: open sessions and recently closed ones. */
export class ListedSessions {
  readonly changes: RowChanges
  readonly #parts: ListedParts
  /** Closed shortly before the daemon started: nothing more is learnt of them. */
  #closed: ReadonlyMap<string, Session> = new Map()

  constructor(parts: ListedParts) {
    this.#parts = parts
    this.changes = new RowChanges({
      isListed: (id) => isRecent(this.#stateOf(id), parts.now()),
      leavesAt: (id) => this.#leavesAt(id),
      now: parts.now,
    })
  }

  start(closed: readonly Session[]): void {
    this.#closed = new Map(closed.map((session) => [session.id, session]))
    this.changes.touch(this.ids())
  }

  /** Includes some that were closed too long ago for the list. */
  ids(): ReadonlySet<string> {
    return new Set([...this.#parts.tracker.sessions.ids(), ...this.#closed.keys()])
  }

  /** Those of this machine by their ids, those of others by their addresses. */
  allIds(): readonly string[] {
    return [...this.ids(), ...this.#parts.remote.ids()]
  }

  row(id: string): Session | undefined {
    const session = this.known(id) ?? this.#parts.remote.row(id)
    return session && isRecent(session, this.#parts.now()) ? session : undefined
  }

  known(id: string): Session | undefined {
    return this.#parts.live(id) ?? this.#closed.get(id)
  }

  #stateOf(id: string): Pick<Session, 'state' | 'since'> | undefined {
    const known = this.#parts.tracker.verdict(id) ?? this.#closed.get(id)
    return known ?? this.#parts.remote.stateOf(id)
  }

  #leavesAt(id: string): number | undefined {
    const known = this.#stateOf(id)
    const at = known?.state === 'closed' ? known.since + FRESH_MAX_MS + 1 : 0
    return at > this.#parts.now() ? at : undefined
  }
}

/** Users still look for a recently closed session. */
function isRecent(session: Pick<Session, 'state' | 'since'> | undefined, now: number): boolean {
  return (
    session !== undefined && (session.state !== 'closed' || now - session.since <= FRESH_MAX_MS)
  )
}
