import type { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import {
  aChange,
  aCommit,
  aNew,
  aPath,
  aReport,
  contentOf,
  open,
} from '../../test/store/samples.ts'
import { openDatabase } from './connect.ts'
import { StoreError, troubleOf } from './errors.ts'
import { selectNumber } from './migrate.ts'
import { Store } from './store.ts'

const connections: DatabaseSync[] = []
afterEach(() => {
  for (const db of connections.splice(0)) if (db.isOpen) db.close()
})

describe('a full disk', () => {
  it('[D1] is said, leaves nothing half written, and is over when there is room', () => {
    const { db, store } = held()
    store.commit(aCommit({ reports: [aNew(1)], changes: [aChange(1, 1)] }))
    const before = contentOf(store)
    db.exec(`PRAGMA max_page_count = ${selectNumber(db, 'PRAGMA page_count') + 2}`)
    const big = aCommit({
      reports: Array.from({ length: 50 }, (_, n) =>
        aNew(n + 2, { report: aReport(n + 2, { text: 'x'.repeat(4_000) }) }),
      ),
      changes: [aChange(2, 2)],
      cursors: [{ path: '/a', inode: '1', offset: 9 }],
    })
    const error = thrown(() => store.commit(big))
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({ reason: 'full', message: expect.stringMatching(/make room/) })
    expect(db.isTransaction).toBe(false)
    expect(contentOf(store)).toEqual(before)
    db.exec('PRAGMA max_page_count = 1000000')
    expect(store.commit(big).ids[0]).toBe(2)
    expect(store.reports({ limit: 100 })).toHaveLength(51)
    expect(integrity(db)).toBe('ok')
  })
})

describe('a log that cannot be written', () => {
  it('[D1] is said to be read-only, can be read, and is written when it can be', () => {
    const { db, store } = held()
    store.commit(aCommit({ reports: [aNew(1)] }))
    db.exec('PRAGMA query_only = ON')
    expect(thrown(() => store.commit(aCommit({ reports: [aNew(2)] })))).toMatchObject({
      reason: 'read-only',
    })
    expect(thrown(() => store.rememberFolder({ agent: 'a', path: '/a' }))).toMatchObject({
      reason: 'read-only',
    })
    expect(
      thrown(() => store.prune({ now: 1e15, keepMs: 0, sizeMaxBytes: 0, sliceRows: 9 })),
    ).toMatchObject({ reason: 'read-only' })
    expect(store.reports()).toHaveLength(1)
    db.exec('PRAGMA query_only = OFF')
    expect(store.commit(aCommit({ reports: [aNew(2)] })).ids).toEqual([2])
  })

  it('[D1] a closed log says so', () => {
    const { store } = held()
    store.close()
    expect(thrown(() => store.commit(aCommit({})))).toBeInstanceOf(StoreError)
    expect(thrown(() => store.reports())).toBeInstanceOf(StoreError)
    expect(thrown(() => store.counts())).toBeInstanceOf(StoreError)
  })
})

it.each([
  [{ errcode: 13 }, 'full'],
  [{ errcode: 4874 }, 'full'],
  [{ code: 'ENOSPC' }, 'full'],
  [{ errcode: 8 | (4 << 8) }, 'read-only'],
  [{ code: 'EROFS' }, 'read-only'],
  [{ errcode: 10 | (3 << 8) }, 'io'],
  [{ errcode: 11 }, 'corrupt'],
  [{ errcode: 26 }, 'corrupt'],
  [{ errcode: 5 }, 'busy'],
  [{ errcode: 19 }, 'other'],
  [{ code: 'ESOMETHING' }, 'other'],
  [undefined, 'other'],
])('[D1] %o is %s', (cause, reason) => {
  expect(troubleOf(cause)).toBe(reason)
})

/** A store whose connection the test can break. */
function held(): { db: DatabaseSync; store: Store } {
  const path = aPath()
  open(path).store.close()
  const db = openDatabase(path)
  connections.push(db)
  return { db, store: new Store(db, path) }
}

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('expected an error, nothing was thrown')
}

function integrity(db: DatabaseSync): unknown {
  return db.prepare('PRAGMA integrity_check').get()?.integrity_check
}
