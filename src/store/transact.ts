import type { DatabaseSync } from 'node:sqlite'
import { storeError } from './errors.ts'

/** All of `work` is in the file, or nothing of it and a `StoreError` says why (SPEC D1). */
export function transact<T>(db: DatabaseSync, doing: string, work: () => T): T {
  try {
    db.exec('BEGIN IMMEDIATE')
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollback(db)
    throw storeError(doing, databaseName(db), error)
  }
}

/** For messages; a closed connection no longer knows its file. */
export function databaseName(db: DatabaseSync): string {
  return (db.isOpen && db.location()) || 'the log'
}

/** On a full disk SQLite may have rolled back already: a second rollback is an error then. */
function rollback(db: DatabaseSync): void {
  if (!db.isOpen || !db.isTransaction) return
  try {
    db.exec('ROLLBACK')
  } catch {
    // The transaction is over either way; the original error is the one to report.
  }
}
