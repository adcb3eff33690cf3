import { lstatSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openDatabase } from './connect.ts'
import { filesOf, sizeOf } from './counts.ts'
import { storeError, troubleOf } from './errors.ts'
import { brokenHeader } from './header.ts'
import { APPLICATION_ID, migrate, selectNumber, versionOf } from './migrate.ts'
import { SCHEMA_VERSION } from './migrations/list.ts'
import { Store } from './store.ts'
import { tornWal } from './wal.ts'

/** Why a file cannot be used as it is. */
export interface Fault {
  /** The text after the file's name. */
  readonly what: string
  /** The schema of a newer vigil. */
  readonly newer?: number
  /** Whether there is a file to salvage from. */
  readonly file: boolean
}

/**
 * Every start of the daemon pays for the check. Measured on two busy cores: 5 ms per megabyte for
 * `integrity_check`, which also compares indexes with their tables, a third of that without.
 */
const INTEGRITY_CHECK_MAX_BYTES = 16 * 1024 * 1024
const QUICK_CHECK_MAX_BYTES = 64 * 1024 * 1024

/** Small tables that everything depends on, checked at any size. */
const SMALL_TABLES = ['sessions', 'cursors', 'folders', 'marks']

/** The store in this file, or its fault; disk errors are thrown. */
export function openChecked(path: string, now: number, whole: boolean): Store | Fault {
  const fault = faultOfFiles(path)
  if (fault) return fault
  let db: DatabaseSync | undefined
  try {
    db = openDatabase(path)
    const found = faultInside(db, path, whole)
    if (found) {
      db.close()
      return found
    }
    migrate(db, now)
    return new Store(db, path)
  } catch (error) {
    if (db?.isOpen) db.close()
    const reason = troubleOf(error)
    // SQLite reports a damaged schema without a specific code: "no such column", "unsupported".
    if (reason === 'corrupt' || (reason === 'other' && isSqlite(error)))
      return { what: `is damaged (${(error as Error).message})`, file: true }
    throw storeError('could not open the log', path, error)
  }
}

function faultOfFiles(path: string): Fault | undefined {
  for (const file of filesOf(path)) {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (!found || found.isFile()) continue
    const what = found.isDirectory() ? 'a folder' : 'a link or a device'
    return { what: `is not a file (found ${what} as ${file})`, file: false }
  }
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined
  try {
    const broken = brokenHeader(path) ?? prefixed('is damaged', tornWal(`${path}-wal`))
    return broken === undefined ? undefined : { what: broken, file: true }
  } catch (error) {
    throw storeError('could not read the log', path, error)
  }
}

function prefixed(start: string, detail: string | undefined): string | undefined {
  return detail === undefined ? undefined : `${start} (${detail})`
}

function faultInside(db: DatabaseSync, path: string, whole: boolean): Fault | undefined {
  const tables = selectNumber(db, 'SELECT count(*) FROM sqlite_schema')
  const version = versionOf(db)
  // Killed between creating the file and its first table: the file is empty.
  if (tables === 0 && version === 0) return undefined
  if (selectNumber(db, 'PRAGMA application_id') !== APPLICATION_ID)
    return { what: 'is not a log of vigil', file: true }
  if (version > SCHEMA_VERSION) {
    const what = `was written by a newer vigil (schema ${version}, known here: ${SCHEMA_VERSION})`
    return { what, newer: version, file: true }
  }
  if (version < 1) return { what: `is damaged (schema ${version})`, file: true }
  const said = check(db, whole ? 0 : sizeOf(path))
  return said === 'ok' ? undefined : { what: `is damaged (${said})`, file: true }
}

function check(db: DatabaseSync, bytes: number): string {
  const said = checksFor(bytes).map((name) => {
    const row = db.prepare(`PRAGMA ${name}`).get()
    return row && Object.values(row)[0]
  })
  // The newest rows are needed next.
  db.prepare('SELECT body FROM reports ORDER BY id DESC LIMIT 64').all()
  return String(said.find((word) => word !== 'ok') ?? 'ok').replaceAll('\n', ' ')
}

function checksFor(bytes: number): readonly string[] {
  if (bytes <= INTEGRITY_CHECK_MAX_BYTES) return ['integrity_check(1)']
  if (bytes <= QUICK_CHECK_MAX_BYTES) return ['quick_check(1)']
  return SMALL_TABLES.map((table) => `quick_check(${table})`)
}

function isSqlite(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR'
}
