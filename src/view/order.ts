import type { Session } from '../protocol/session.ts'
import { byAttention, needsUser } from './session.ts'

type Ordered = Pick<Session, 'id' | 'state' | 'since' | 'unread'>

/**
 * SPEC VW2. Sessions that need the user most come first; the result does not depend on the given
 * order.
 */
export function inAttention<T extends Ordered>(sessions: readonly T[]): readonly T[] {
  return sessions.toSorted(byAttention)
}

/** A row of a list, and whether its session needed the user when the row was placed. */
export interface PlacedRow {
  readonly id: string
  readonly needs: boolean
}

/**
 * SPEC VW5. The rows of a list. While the user looks at the list each row stays where it is, so
 * that a row that the user reads or is about to choose does not move; only a session that begins to
 * need the user moves up.
 */
export function arrange(
  before: readonly PlacedRow[],
  sessions: readonly Ordered[],
  looking: boolean,
): readonly PlacedRow[] {
  if (!looking) return inAttention(sessions).map(rowOf)
  const known = new Map(sessions.map((session) => [session.id, session]))
  const needed = new Map(before.map(({ id, needs }) => [id, needs]))
  const begins = (session: Ordered) => needsUser(session) && needed.get(session.id) !== true
  const rows = before.flatMap(({ id }) => known.get(id) ?? []).filter((one) => !begins(one))
  rows.push(...inAttention(sessions).filter((one) => !needed.has(one.id) && !begins(one)))
  for (const one of inAttention(sessions.filter(begins))) {
    const below = rows.findIndex((row) => byAttention(one, row) < 0)
    rows.splice(below < 0 ? rows.length : below, 0, one)
  }
  return rows.map(rowOf)
}

function rowOf(session: Ordered): PlacedRow {
  return { id: session.id, needs: needsUser(session) }
}

/**
 * SPEC VW6. The session that has needed the user longest. After a session that still needs the user
 * comes the next one, and after the last the first.
 */
export function nextNeedy<T extends Ordered>(
  sessions: readonly T[],
  after?: string,
): T | undefined {
  const needy = sessions
    .filter(needsUser)
    .toSorted((a, b) => a.since - b.since || byAttention(a, b))
  const last = needy.findIndex(({ id }) => id === after)
  return needy[(last + 1) % needy.length]
}
