import type { Session } from '../protocol/session.ts'
import type { Heard } from './freshness.ts'
import { byAttention, needsUser } from './session.ts'

type Ordered = Pick<Session, 'id' | 'state' | 'since' | 'unread'> & Heard

/**
 * SPEC VW2. Sessions that need the user most come first; the result does not depend on the given
 * order.
 */
export function inAttention<T extends Ordered>(sessions: readonly T[]): readonly T[] {
  return sessions.toSorted(byAttention)
}

/**
 * A line of a list, and whether its session needed the user when the line was placed. In a large
 * fleet most sessions are the same objects as before: their lines need no second look.
 */
export interface PlacedRow<T extends Ordered = Session> {
  readonly kind: 'session'
  readonly session: T
  readonly needs: boolean
}

/**
 * SPEC VW5. The rows of a list. While the user looks at the list each row stays where it is, so
 * that a row that the user reads or is about to choose does not move; only a session that begins to
 * need the user moves up.
 */
export function arrange<T extends Ordered>(
  before: readonly PlacedRow<T>[],
  sessions: ReadonlyMap<string, T>,
  looking: boolean,
): readonly PlacedRow<T>[] {
  const { rows, begin, isSame } = kept(before, sessions)
  const added = rows.length + begin.length < sessions.size ? addedTo(before, sessions) : []
  if (!looking) return inPlace(before, rows, [...begin, ...added])
  if (isSame && added.length === 0) return before
  rows.push(...added.filter((one) => !needsUser(one)).map(rowOf))
  for (const one of inAttention([...begin, ...added.filter(needsUser)])) {
    const below = rows.findIndex(({ session }) => byAttention(one, session) < 0)
    rows.splice(below < 0 ? rows.length : below, 0, rowOf(one))
  }
  return rows
}

/** The rows that stay, and apart from them those that begin to need the user. */
function kept<T extends Ordered>(
  before: readonly PlacedRow<T>[],
  sessions: ReadonlyMap<string, T>,
) {
  const rows: PlacedRow<T>[] = []
  const begin: T[] = []
  let isSame = true
  for (const row of before) {
    const session = sessions.get(row.session.id)
    if (session === row.session) {
      rows.push(row)
      continue
    }
    isSame = false
    if (!session) continue
    const now = rowOf(session)
    if (now.needs && !row.needs) begin.push(session)
    else rows.push(now)
  }
  return { rows, begin, isSame }
}

function addedTo<T extends Ordered>(
  before: readonly PlacedRow<T>[],
  sessions: ReadonlyMap<string, T>,
) {
  const placed = new Set(before.map(({ session }) => session.id))
  return inAttention([...sessions.values()].filter(({ id }) => !placed.has(id)))
}

/** Rows that are in order but for a few are sorted much faster than others. */
function inPlace<T extends Ordered>(
  before: readonly PlacedRow<T>[],
  rows: readonly PlacedRow<T>[],
  others: readonly T[],
): readonly PlacedRow<T>[] {
  const present = new Map(rows.map((row) => [row.session.id, row]))
  const known = rows.map(({ session }) => session)
  const sorted = inAttention([...known, ...others])
  const placed = sorted.map((session) => present.get(session.id) ?? rowOf(session))
  const isSame = placed.length === before.length && placed.every((row, at) => row === before[at])
  return isSame ? before : placed
}

function rowOf<T extends Ordered>(session: T): PlacedRow<T> {
  return { kind: 'session', session, needs: needsUser(session) }
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
