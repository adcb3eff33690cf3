import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { migrate, versionOf } from './migrate.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './migrations/list.ts'

it('[D7] migrations are numbered from 1 without a gap', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, i) => i + 1))
})

it('[D7] a log is brought up to date step by step, and once', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, 1)
  expect(versionOf(db)).toBe(SCHEMA_VERSION)
  const next = { version: SCHEMA_VERSION + 1, sql: 'CREATE TABLE extra (id INTEGER)' }
  migrate(db, 2, [...MIGRATIONS, next])
  migrate(db, 3, [...MIGRATIONS, next])
  expect(versionOf(db)).toBe(SCHEMA_VERSION + 1)
})

it('[D7] a step that fails leaves the log as it was before it', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, 1)
  const bad = { version: SCHEMA_VERSION + 1, sql: 'CREATE TABLE extra (id INTEGER); SELECT moon' }
  expect(() => migrate(db, 2, [...MIGRATIONS, bad])).toThrow(/moon/)
  expect(db.isTransaction).toBe(false)
  expect(versionOf(db)).toBe(SCHEMA_VERSION)
  expect(() => db.prepare('SELECT * FROM extra')).toThrow(/no such table/)
})
