import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { filesOf } from './counts.ts'

/**
 * Only a second program can hold the lock: vigil has one connection. The event loop is blocked
 * meanwhile, so it is better to fail, and to retry the commit later.
 */
const BUSY_MS = 1_000

/**
 * 8 MB. A checkpoint delays commits: with twice as many pages for twice as long, with half as many
 * (SQLite's default) twice as often; the work per report hardly changes.
 */
const CHECKPOINT_PAGES = 2_000

/** Holds the pages that a batch from 100 sessions touches; 2 MB, the default, does not. */
const CACHE_KB = 16_000

/** The only connection; the file and its companions are private (SPEC D8). */
export function openDatabase(path: string): DatabaseSync {
  makePrivate(path)
  const db = new DatabaseSync(path, { timeout: BUSY_MS, enableForeignKeyConstraints: true })
  try {
    // Takes effect only before the first page is written, so before the change to WAL.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL')
    db.exec('PRAGMA journal_mode = WAL')
    db.exec('PRAGMA synchronous = NORMAL')
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    db.exec(`PRAGMA journal_size_limit = ${CHECKPOINT_PAGES * 4096}`)
    db.exec(`PRAGMA cache_size = -${CACHE_KB}`)
    db.exec('PRAGMA temp_store = MEMORY')
    db.exec('PRAGMA cell_size_check = ON')
    db.exec('PRAGMA trusted_schema = OFF')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite gives the companion files the mode of the database. */
function makePrivate(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) closeSync(openSync(path, 'ax', 0o600))
  for (const file of filesOf(path)) {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found && (found.mode & 0o777) !== 0o600) chmodSync(file, 0o600)
  }
}
