import { readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { aCommit, aNew, aPath, aReport, aSession, open } from './samples.ts'

it('[D5][D6] damage that a start does not look for is found when the log is opened for it', () => {
  const path = aPath()
  const { store } = open(path)
  const text = 'x'.repeat(20_000)
  const reports = Array.from({ length: 1_000 }, (_, t) => aNew(t, { report: aReport(t, { text }) }))
  store.commit(aCommit({ reports, sessions: [aSession('one')] }))
  store.close()
  expect(statSync(path).size).toBeGreaterThan(16 * 1024 * 1024)
  spoilIndex(path)

  const { store: unaware, notice } = open(path)
  expect(notice).toBeUndefined()
  const read = () => unaware.reports({ session: 'one' })
  expect(read).toThrow(expect.objectContaining({ reason: 'corrupt' }))
  unaware.close()

  const again = open(path, { checkWhole: true })
  expect(again.notice).toContain('rebuilt from what remains: 1000 reports, 1 sessions')
  expect(readdirSync(dirname(path)).some((name) => name.includes('.corrupt-'))).toBe(true)
  expect([...again.store.openReports()]).toHaveLength(1_000)
})

/** Moves rows behind the back of an index: it has as many entries as there are rows. */
function spoilIndex(path: string): void {
  const index = `name = 'reports_session'`
  const row = edited(path, (db) => {
    const found = db.prepare(`SELECT * FROM sqlite_schema WHERE ${index}`).get()
    db.exec(`DELETE FROM sqlite_schema WHERE ${index}`)
    return found
  })
  edited(path, (db) => db.exec('UPDATE reports SET id = id + 100000 WHERE id <= 10'))
  edited(path, (db) =>
    db.prepare('INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)').run(...Object.values(row ?? {})),
  )
}

function edited<T>(path: string, edit: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { defensive: false })
  db.exec('PRAGMA writable_schema = ON')
  const result = edit(db)
  db.close()
  return result
}
