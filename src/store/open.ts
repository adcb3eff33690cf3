import { lstatSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateFolder } from '../home/folders.ts'
import { moveDatabase, setAside } from './aside.ts'
import { openDatabase } from './connect.ts'
import { filesOf } from './counts.ts'
import { type Fault, openChecked } from './diagnose.ts'
import { storeError } from './errors.ts'
import { migrate } from './migrate.ts'
import { type Salvaged, salvage } from './salvage.ts'
import { Store } from './store.ts'

export interface OpenOptions {
  /** Names a log that is set aside, and starts the ids of a fresh log's changes. */
  readonly now?: number
  /** Checks every page at any cost: after a `StoreError` with the reason `corrupt`. */
  readonly checkWhole?: boolean
}

export interface OpenedStore {
  readonly store: Store
  /** For the user: a log set aside, a linked SQLite with a known bug. */
  readonly notice?: string
}

/**
 * Opens the log, or creates it. An unusable one is set aside and rebuilt from its readable part
 * (SPEC D5, D6). Throws a `StoreError` only when no log can be opened at all.
 */
export function openStore(path: string, options: OpenOptions = {}): OpenedStore {
  const now = options.now ?? Date.now()
  const notices = [sqliteNotice()]
  try {
    privateFolder(dirname(path))
    notices.push(adoptDraft(path))
    let opened = openChecked(path, now, options.checkWhole ?? false)
    if (!(opened instanceof Store)) {
      notices.push(rebuild(path, opened, now))
      opened = openChecked(path, now, false)
    }
    if (!(opened instanceof Store)) throw new Error(`the rebuilt log ${opened.what}`)
    return withNotice(opened, notices)
  } catch (error) {
    throw storeError('could not open the log', path, error)
  }
}

/** Where the log is rebuilt: it replaces the damaged one only when it is complete. */
function draftOf(path: string): string {
  return `${path}.rebuild`
}

/** Killed after the damaged log was moved away: otherwise the next start would find none. */
function adoptDraft(path: string): string | undefined {
  if (isThere(path) || !isThere(draftOf(path))) return undefined
  moveDatabase(draftOf(path), path)
  return `${path}: vigil was killed while it rebuilt the log; it uses what it had saved`
}

function rebuild(path: string, fault: Fault, now: number): string {
  const draft = draftOf(path)
  for (const file of filesOf(draft)) rmSync(file, { force: true })
  const db = openDatabase(draft)
  let saved: Salvaged
  try {
    migrate(db, now)
    saved = salvage(path, db, fault.file, now)
  } finally {
    db.close()
  }
  const aside = setAside(path, fault, now)
  moveDatabase(draft, path)
  const { reports, sessions } = saved
  return (
    `${path}: ${fault.what}; it was set aside as ${aside}, and the log was rebuilt from what ` +
    `remains: ${reports} reports, ${sessions} sessions`
  )
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function withNotice(store: Store, notices: readonly (string | undefined)[]): OpenedStore {
  const notice = notices.filter((said) => said !== undefined).join('\n')
  return notice === '' ? { store } : { store, notice }
}

/** The first release without the WAL-reset bug, which can damage a log that two programs open. */
const SOUND = [3, 51, 3] as const

/** A notice about the SQLite that this Node is linked with; undefined for a sound one. */
export function sqliteNotice(version = process.versions.sqlite ?? '0'): string | undefined {
  const parts = version.split('.').map(Number)
  const at = SOUND.findIndex((least, i) => (parts[i] ?? 0) !== least)
  if (at < 0 || (parts[at] ?? 0) > (SOUND[at] ?? 0)) return undefined
  return (
    `SQLite ${version} has a bug that can damage a log opened by two programs at once ` +
    `(expected ${SOUND.join('.')} or newer); use a newer Node, and open the log only with vigil`
  )
}
