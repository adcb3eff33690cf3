import type { DatabaseSync } from 'node:sqlite'
import type { Row } from './rows.ts'

/** Damaged places skipped in one table before giving up. */
const GAPS_MAX = 256

/** Beyond every id. */
const TOP = Number.MAX_SAFE_INTEGER

/** The rows of a table by descending id, skipping unreadable ones. */
export function* newestFirst(
  db: DatabaseSync,
  table: 'reports' | 'changes',
  max: number,
): Generator<Row> {
  const sql = `SELECT * FROM ${table} NOT INDEXED WHERE id <= ? ORDER BY id DESC LIMIT ?`
  let top = TOP
  let left = max
  for (let gaps = 0; gaps < GAPS_MAX && left > 0; gaps += 1) {
    try {
      for (const row of db.prepare(sql).iterate(top, left)) {
        top = Number(row.id) - 1
        left -= 1
        yield row
      }
      return
    } catch (error) {
      if (!isDamage(error)) throw error
      top = belowDamage(top, (id) => succeeds(() => db.prepare(sql).get(id, 1)))
    }
  }
}

/** The largest readable id below `top`: by doubling, then by halving. */
function belowDamage(top: number, canRead: (id: number) => boolean): number {
  let bad = top
  let gap = 1
  while (top - gap > 0 && !canRead(top - gap)) {
    bad = top - gap
    gap *= 2
  }
  let good = Math.max(0, top - gap)
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (canRead(middle)) good = middle
    else bad = middle
  }
  return good
}

/** The rows of a small table: from its beginning to the first damage, and from its end. */
export function* readable(db: DatabaseSync, table: string): Generator<Row> {
  if (yield* until(db, `SELECT * FROM ${table}`)) return
  const order = KEYS[table] ?? 'rowid'
  yield* until(db, `SELECT * FROM ${table} NOT INDEXED ORDER BY ${order} DESC`)
}

/** Tables without a rowid. */
const KEYS: Readonly<Record<string, string>> = {
  cursors: 'path',
  folders: 'path',
  usage: 'message',
  absences: 'until',
}

/** Returns whether it reached the end. */
function* until(db: DatabaseSync, sql: string): Generator<Row, boolean> {
  try {
    yield* db.prepare(sql).iterate()
    return true
  } catch (error) {
    if (!isDamage(error)) throw error
    return false
  }
}

function succeeds(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

/** An id beyond what a number can hold is damage too. */
function isDamage(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'ERR_SQLITE_ERROR' || code === 'ERR_OUT_OF_RANGE'
}
