import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  aChange,
  aCommit,
  aNew,
  aReport,
  aSession,
  aStore,
  contentOf,
} from '../../test/store/samples.ts'
import { migrate } from './migrate.ts'
import { type NewReport, Store } from './store.ts'

it('[D1] a commit writes reports, changes, sessions and cursors together', () => {
  const store = aStore()
  const cursor = { path: '/home/ada/.claude/projects/x/one.jsonl', inode: '77', offset: 4096 }
  const { ids } = store.commit({
    reports: [aNew(10), aNew(11)],
    changes: [aChange(store.lastChangeId() + 1, 10)],
    sessions: [aSession('one', { parent: 'zero' })],
    cursors: [cursor],
    renamed: [],
  })
  expect(ids).toEqual([1, 2])
  expect(store.reports().map(({ report }) => report)).toEqual([aReport(10), aReport(11)])
  expect(store.changesAfter(0, 10).map(({ t }) => t)).toEqual([10])
  expect(store.session('one')).toEqual(aSession('one', { parent: 'zero' }))
  expect(store.cursors()).toEqual([cursor])
})

it('[D1] nothing of a commit is there when a part of it is refused', () => {
  const store = aStore()
  const id = store.lastChangeId() + 1
  store.commit(aCommit({ changes: [aChange(id, 1)] }))
  const before = contentOf(store)
  const bad = {
    ...aCommit({ reports: [aNew(5)], sessions: [aSession('two')] }),
    changes: [aChange(id + 1, 2), aChange(id, 3)],
  }
  expect(() => store.commit(bad)).toThrow(/could not commit.*UNIQUE/)
  expect(contentOf(store)).toEqual(before)
  expect(store.commit(aCommit({ reports: [aNew(6)] })).ids).toEqual([1])
})

it('[D2] a report whose key is there already is not logged again', () => {
  const store = aStore()
  expect(store.commit(aCommit({ reports: [aNew(1), aNew(2), aNew(1)] })).ids).toEqual([
    1,
    2,
    undefined,
  ])
  expect(store.commit(aCommit({ reports: [aNew(2), aNew(3)] })).ids).toEqual([undefined, 3])
  expect(store.reports()).toHaveLength(3)
  expect(store.known(['hook.1', 'hook.3', 'hook.9'])).toEqual(new Set(['hook.1', 'hook.3']))
})

it('[D2] reports without a key are all kept', () => {
  const store = aStore()
  const keyless = aNew(1, { key: undefined })
  store.commit(aCommit({ reports: [keyless, keyless] }))
  expect(store.reports().map(({ key }) => key)).toEqual([undefined, undefined])
})

it('[D2] any sequence of commits logs each report once', () => {
  const key = fc.option(fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }), {
    nil: undefined,
  })
  const report = fc.record({
    key,
    session: fc.option(fc.string({ unit: 'binary', maxLength: 4 }), { nil: undefined }),
    report: fc.json().map((json) => aReport(1, { payload: JSON.parse(json) })),
  })
  fc.assert(
    fc.property(fc.array(fc.array(report, { maxLength: 8 }), { maxLength: 8 }), (batches) => {
      const store = inMemory()
      const ids = batches.flatMap((reports) => store.commit(aCommit({ reports })).ids)
      const first = firstOfEachKey(batches.flat())
      expect(ids.flatMap((id) => id ?? [])).toEqual(first.map((_, index) => index + 1))
      const logged = store.reports().map(({ id: _, ...rest }) => rest)
      expect(logged).toEqual(first.map(({ report, ...rest }) => ({ ...rest, report })))
      store.close()
    }),
    { numRuns: 300 },
  )
})

it('[D13] reports of a stand-in belong to the session it became', () => {
  const store = aStore()
  const standIn = { session: 'process:4711' }
  const sessions = [aSession('process:4711')]
  store.commit(aCommit({ reports: [aNew(1, standIn), aNew(2)], sessions }))
  const renamed = [{ from: 'process:4711', to: 'one' }]
  store.commit(aCommit({ reports: [aNew(3, standIn)], renamed, sessions: [aSession('one')] }))
  expect(store.reports({ session: 'one' }).map(({ report }) => report.t)).toEqual([1, 2, 3])
  expect(store.reports({ session: 'process:4711' })).toEqual([])
  expect(store.sessions().map(({ id }) => id)).toEqual(['one'])
})

it('a session written again is the same session', () => {
  const store = aStore()
  store.commit(aCommit({ sessions: [aSession('one', { firstAt: 5, lastAt: 9 })] }))
  const later = aSession('one', { firstAt: 7, lastAt: 20, open: false, state: 'closed' })
  store.commit(aCommit({ sessions: [later] }))
  expect(store.sessions()).toEqual([{ ...later, firstAt: 5 }])
})

it('a cursor moves, and can be forgotten', () => {
  const store = aStore()
  const cursor = (offset: number) => ({ path: '/a', inode: '1', offset })
  store.commit(aCommit({ cursors: [cursor(10)] }))
  store.commit(aCommit({ cursors: [cursor(30), { path: '/b', inode: '2', offset: 0 }] }))
  expect(store.cursor('/a')).toEqual(cursor(30))
  store.forgetCursors(['/a', '/never'])
  expect(store.cursor('/a')).toBeUndefined()
  expect(store.cursors()).toHaveLength(1)
})

it('a report that no JSON can hold is logged as such and stops nothing', () => {
  const store = aStore()
  const ring: unknown[] = []
  ring.push(ring)
  const unwritable = aNew(1, { report: aReport(1, { payload: ring }) })
  expect(store.commit(aCommit({ reports: [unwritable, aNew(2)] })).ids).toEqual([1, 2])
  expect(store.reports()[0]?.report).toMatchObject({ t: 1, source: 'hook' })
  expect(store.reports()[0]?.report.unwritable).toMatch(/circular/)
})

/** No disk, so that many cases can run. */
function inMemory(): Store {
  const db = new DatabaseSync(':memory:')
  migrate(db, 1)
  return new Store(db, ':memory:')
}

function firstOfEachKey(reports: readonly NewReport[]): NewReport[] {
  const seen = new Set<string>()
  return reports.filter(({ key }) => {
    if (key === undefined) return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
