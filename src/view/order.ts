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
  sessions: ReadonlyMap<string, Ordered>,
  looking: boolean,
): readonly PlacedRow[] {
  const { rows, begin, isSame } = kept(before, sessions)
  const added = rows.length + begin.length < sessions.size ? addedTo(before, sessions) : []
  if (!looking) return inPlace(before, rows, [...begin, ...added], sessions)
  if (isSame && added.length === 0) return before
  rows.push(...added.filter((one) => !needsUser(one)).map(rowOf))
  for (const one of inAttention([...begin, ...added.filter(needsUser)])) {
    const below = rows.findIndex(({ id }) => {
      const row = sessions.get(id)
      return row !== undefined && byAttention(one, row) < 0
    })
    rows.splice(below < 0 ? rows.length : below, 0, rowOf(one))
  }
  return rows
}

/** The rows that stay, and apart from them those that begin to need the user. */
function kept(before: readonly PlacedRow[], sessions: ReadonlyMap<string, Ordered>) {
  const rows: PlacedRow[] = []
  const begin: Ordered[] = []
  let isSame = true
  for (const row of before) {
    const session = sessions.get(row.id)
    const needs = session !== undefined && needsUser(session)
    if (session && needs === row.needs) {
      rows.push(row)
      continue
    }
    isSame = false
    if (session && needs) begin.push(session)
    else if (session) rows.push({ id: row.id, needs })
  }
  return { rows, begin, isSame }
}

function addedTo(before: readonly PlacedRow[], sessions: ReadonlyMap<string, Ordered>) {
  const placed = new Set(before.map(({ id }) => id))
  return inAttention([...sessions.values()].filter(({ id }) => !placed.has(id)))
}

/** Rows that are in order but for a few are sorted much faster than others. */
function inPlace(
  before: readonly PlacedRow[],
  rows: readonly PlacedRow[],
  others: readonly Ordered[],
  sessions: ReadonlyMap<string, Ordered>,
): readonly PlacedRow[] {
  const present = new Map(rows.map((row) => [row.id, row]))
  const known = rows.flatMap(({ id }) => sessions.get(id) ?? [])
  const sorted = inAttention([...known, ...others])
  const placed = sorted.map((session) => present.get(session.id) ?? rowOf(session))
  const isSame = placed.length === before.length && placed.every((row, at) => row === before[at])
  return isSame ? before : placed
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
