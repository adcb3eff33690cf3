import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { aCommit, aNew, aPath, open } from '../../test/store/samples.ts'
import { openDatabase } from './connect.ts'
import { sqliteNotice } from './open.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

it('[D8] the log and the files beside it are for their user alone', () => {
  const path = aPath()
  const { store } = open(path)
  store.commit(aCommit({ reports: [aNew(1)] }))
  expect(modeOf(dirname(path))).toBe('700')
  const files = readdirSync(dirname(path)).toSorted()
  expect(files).toEqual(['vigil.db', 'vigil.db-shm', 'vigil.db-wal'])
  expect(files.map((name) => modeOf(`${dirname(path)}/${name}`))).toEqual(['600', '600', '600'])
})

it('[D8] what was left open to others is closed to them', () => {
  const path = aPath()
  open(path).store.close()
  chmodSync(dirname(path), 0o755)
  chmodSync(path, 0o644)
  const { store } = open(path)
  store.commit(aCommit({ reports: [aNew(1)] }))
  const paths = [dirname(path), path, `${path}-wal`, `${path}-shm`]
  expect(paths.map(modeOf)).toEqual(['700', '600', '600', '600'])
})

it('is one connection in WAL that gives pages back and checkpoints by itself', () => {
  const path = aPath()
  open(path).store.close()
  const db = openDatabase(path)
  const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  expect(pragma('journal_mode')).toBe('wal')
  expect(pragma('synchronous')).toBe(1)
  expect(pragma('auto_vacuum')).toBe(2)
  expect(pragma('foreign_keys')).toBe(1)
  expect(pragma('busy_timeout')).toBe(1_000)
  db.close()
})

it('closed, the log is one file; closing twice is closing', () => {
  const path = aPath()
  const { store } = open(path)
  store.commit(aCommit({ reports: [aNew(1)] }))
  store.close()
  store.close()
  expect(readdirSync(dirname(path))).toEqual(['vigil.db'])
})

it('a write-ahead log without its database is ignored', () => {
  const path = aPath()
  mkdirSync(dirname(path), { mode: 0o700 })
  writeFileSync(`${path}-wal`, 'x'.repeat(10_000))
  const { store, notice } = open(path)
  expect(notice).toBeUndefined()
  expect(store.commit(aCommit({ reports: [aNew(1)] })).ids).toEqual([1])
})

it('a file made and never written to is used without a word', () => {
  const path = aPath()
  mkdirSync(dirname(path), { mode: 0o700 })
  openDatabase(path).close()
  expect(lstatSync(path).size).toBeGreaterThan(0)
  expect(open(path).notice).toBeUndefined()
})

it('the log of a program that holds it is an error that says so, and is left alone', () => {
  const path = aPath()
  open(path).store.close()
  const other = new DatabaseSync(path)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version = 1')
  expect(() => open(path)).toThrow(expect.objectContaining({ reason: 'busy' }))
  other.exec('ROLLBACK')
  other.close()
  expect(readdirSync(dirname(path))).toEqual(['vigil.db'])
})

it.each([
  ['3.51.2', true],
  ['3.50.9', true],
  ['2.99.99', true],
  ['3.51.3', false],
  ['3.51.10', false],
  ['3.53.0', false],
  ['4.0.0', false],
])('[D14] SQLite %s with the WAL-reset bug: %s', (version, said) => {
  expect(sqliteNotice(version) !== undefined).toBe(said)
})

it('[D14] the linked SQLite is the one that is looked at', () => {
  const db = new DatabaseSync(':memory:')
  const linked = String(db.prepare('SELECT sqlite_version() AS v').get()?.v)
  db.close()
  expect(process.versions.sqlite).toBe(linked)
})
