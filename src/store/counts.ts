import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { selectNumber } from './migrate.ts'

export interface StoreCounts {
  readonly path: string
  readonly reports: number
  readonly changes: number
  readonly sessions: number
  readonly cursors: number
  readonly folders: number
  /** On disk, the write-ahead log included. */
  readonly bytes: number
  /** Time of the oldest report; null without any. */
  readonly oldestAt: number | null
}

export function countsOf(db: DatabaseSync, path: string): StoreCounts {
  const rows = (table: string) => selectNumber(db, `SELECT count(*) FROM ${table}`)
  const oldest = db.prepare('SELECT min(t) AS t FROM reports').get()?.t
  return {
    path,
    reports: rows('reports'),
    changes: rows('changes'),
    sessions: rows('sessions'),
    cursors: rows('cursors'),
    folders: rows('folders'),
    bytes: filesOf(path).reduce((sum, file) => sum + sizeOf(file), 0),
    oldestAt: typeof oldest === 'number' ? oldest : null,
  }
}

/** The three files that are one database. */
export function filesOf(path: string): readonly [string, string, string] {
  return [path, `${path}-wal`, `${path}-shm`]
}

/** Identifies the file that has this name. */
export function fileMark(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
