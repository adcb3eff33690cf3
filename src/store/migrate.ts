import type { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS, type Migration } from './migrations/list.ts'

/** "vgil": distinguishes vigil's log from another program's database in its place. */
export const APPLICATION_ID = 0x7667696c

/**
 * Brings the schema up to date; each step is in the file completely or not at all (SPEC D7). The
 * ids of a fresh log's changes begin at the time of its creation, in milliseconds: beyond every id
 * of an earlier log in its place, so that an old subscriber's cursor is not mistaken for a new one.
 */
export function migrate(
  db: DatabaseSync,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  for (const { version, sql, finish } of migrations) {
    if (version <= versionOf(db)) continue
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(sql)
      finish?.(db, now)
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
      db.exec(`PRAGMA user_version = ${version}`)
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  db.prepare(
    "INSERT INTO marks (name, value) VALUES ('changes-gone', ?) ON CONFLICT DO NOTHING",
  ).run(now)
}

export function versionOf(db: DatabaseSync): number {
  return selectNumber(db, 'PRAGMA user_version')
}

/** The single number that a statement gives; 0 for none. */
export function selectNumber(db: DatabaseSync, sql: string): number {
  const row = db.prepare(sql).get()
  return row === undefined ? 0 : Number(Object.values(row)[0] ?? 0)
}
