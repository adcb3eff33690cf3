import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/store/migrations/list.ts'
import { filesOf } from '../support/files.ts'
import { aChange, aCommit, aNew, aPath, contentOf, open } from './samples.ts'

const fixtures = filesOf('test/store/fixtures/schema-*.sql')
const numberIn = (path: string) => Number(/schema-(\d+)\.sql$/.exec(path)?.[1])

it('[D7] every schema has its fixture; make it with node test/store/make-fixture.ts', () => {
  expect(fixtures.map(({ path }) => numberIn(path))).toEqual(
    MIGRATIONS.map(({ version }) => version),
  )
})

it.each(fixtures)('[D7] all of $path is read, and written on', ({ path: name, text }) => {
  const path = aPath()
  mkdirSync(dirname(path), { mode: 0o700 })
  const db = new DatabaseSync(path)
  db.exec(text)
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: numberIn(name) })
  const rows = (table: string) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n
  const tables = ['reports', 'changes', 'sessions', 'cursors', 'folders'] as const
  const counted = Object.fromEntries(tables.map((table) => [table, rows(table)]))
  db.close()

  const loops = numberIn(name) < 2 ? 0 : 1
  const acts = numberIn(name) < 3 ? 0 : 1
  const { store, notice } = open(path)
  expect(notice).toBeUndefined()
  const content = contentOf(store)
  const read = Object.fromEntries(tables.map((table) => [table, content[table].length]))
  expect(read).toEqual(counted)
  expect(Object.values(counted).every((n) => Number(n) > 0)).toBe(true)
  expect([...store.openReports()].map(({ session }) => session)).toContain('one')
  expect(store.history('one', 9)).toHaveLength(1)
  expect(store.eventCounts(0).get('Stop')).toBe(1)
  expect(store.session('two')).toMatchObject({ open: false, parent: 'one', body: { id: 'two' } })

  expect(store.loops.open()).toHaveLength(loops)
  expect(store.loops.steps('loop-1', 9)).toHaveLength(loops)
  expect(store.acts.list({ session: 'one', limit: 9 })).toHaveLength(acts)
  expect(store.acts.requests()).toHaveLength(acts)

  const changes = [aChange(store.lastChangeId() + 1, 1)]
  store.commit(aCommit({ reports: [aNew(1)], changes }))
  expect(store.counts().reports).toBe(content.reports.length + 1)
  store.close()
  const after = new DatabaseSync(path)
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
  after.close()
})

it('[D7] a fixture that is there is never made again', () => {
  const maker = fileURLToPath(new URL('./make-fixture.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [maker], { encoding: 'utf8' })
  expect(status).not.toBe(0)
  expect(stderr).toContain('is there already, and a fixture never changes')
})

it('[D7] a schema is what its fixture says: released migrations are not edited', () => {
  const made = new DatabaseSync(':memory:')
  const dumped = new DatabaseSync(':memory:')
  for (const { version, sql } of MIGRATIONS) {
    made.exec(sql)
    const fixture = fixtures.find(({ path }) => numberIn(path) === version)
    if (version === SCHEMA_VERSION) dumped.exec(fixture?.text ?? '')
  }
  const schemaOf = (db: DatabaseSync) =>
    db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
  expect(schemaOf(dumped)).toEqual(schemaOf(made))
  made.close()
  dumped.close()
})
