import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import {
  aChange,
  aCommit,
  aNew,
  aPath,
  aReport,
  aSession,
  aStore,
  aVerdict,
  open,
} from '../../test/store/samples.ts'
import type { LoggedChange } from './store.ts'

it('reports are filtered by session, source and id, in the order in which they came', () => {
  const store = aStore()
  const line = aReport(3, { source: 'transcript' })
  const reports = [
    aNew(5),
    aNew(4, { session: 'two' }),
    aNew(3, { report: line }),
    aNew(2, { session: undefined }),
  ]
  store.commit(aCommit({ reports }))
  const times = (filter: Parameters<typeof store.reports>[0]) =>
    store.reports(filter).map(({ report }) => report.t)
  expect(times({})).toEqual([5, 4, 3, 2])
  expect(times({ session: 'one' })).toEqual([5, 3])
  expect(times({ source: 'transcript' })).toEqual([3])
  expect(times({ session: 'one', source: 'hook' })).toEqual([5])
  expect(times({ after: 1, limit: 2 })).toEqual([4, 3])
})

it('a thousand reports are an answer unless more are asked for', () => {
  const store = aStore()
  store.commit(aCommit({ reports: Array.from({ length: 1_001 }, (_, t) => aNew(t)) }))
  expect(store.reports()).toHaveLength(1_000)
  expect(store.reports({ limit: 2_000 })).toHaveLength(1_001)
})

it('[D12] reports of open sessions come in order, also while the log is written', () => {
  const store = aStore()
  const reports = Array.from({ length: 1_500 }, (_, n) =>
    aNew(n, { session: ['one', 'two', 'shut', undefined][n % 4] }),
  )
  const sessions = [aSession('two'), aSession('one'), aSession('shut', { open: false })]
  store.commit(aCommit({ reports, sessions }))
  const seen: number[] = []
  for (const { id } of store.openReports()) {
    seen.push(id)
    store.commit(aCommit({ reports: [aNew(10_000 + id)] }))
  }
  const expected = reports.flatMap(({ session }, i) =>
    session === 'one' || session === 'two' ? i + 1 : [],
  )
  expect(seen).toEqual(expected)
})

it('[D9] a change’s id is larger than any given before, also by another log in this place', () => {
  const { store } = open(aPath(), { now: 1_000_000 })
  expect(store.firstChangeId()).toBe(1_000_001)
  expect(store.lastChangeId()).toBe(1_000_000)
  store.commit(aCommit({ changes: [aChange(1_000_001, 1)] }))
  expect(store.lastChangeId()).toBe(1_000_001)
  expect(store.changesAfter(1_000_000, 10)).toEqual([aChange(1_000_001, 1)])
  expect(store.changesAfter(1_000_001, 10)).toEqual([])
})

it('a log opened again goes on with its own ids', () => {
  const path = aPath()
  const first = open(path, { now: 1_000 }).store
  first.commit(aCommit({ reports: [aNew(1)], changes: [aChange(1_001, 1)] }))
  first.close()
  const { store } = open(path, { now: 9_000 })
  expect([store.firstChangeId(), store.lastChangeId()]).toEqual([1_001, 1_001])
  expect(store.commit(aCommit({ reports: [aNew(2)] })).ids).toEqual([2])
})

it('the history of a session is its newest verdicts, newest first', () => {
  const store = aStore()
  const gone = { id: 4, t: 4, session: 'one', kind: 'gone', became: undefined } as const
  const past: LoggedChange = {
    id: 5,
    t: 5,
    session: 'one',
    kind: 'past',
    verdict: aVerdict('one', 5),
  }
  const changes = [aChange(1, 1), aChange(2, 2, 'two'), aChange(3, 3), gone, past]
  store.commit(aCommit({ changes }))
  expect(store.history('one', 2).map(({ id }) => id)).toEqual([5, 3])
  expect(store.changesAfter(2, 2)).toEqual([aChange(3, 3), gone])
})

it('sessions come latest first, all or the open ones', () => {
  const store = aStore()
  const sessions = [
    aSession('old', { lastAt: 1 }),
    aSession('shut', { lastAt: 2, open: false }),
    aSession('latest', { lastAt: 3 }),
  ]
  store.commit(aCommit({ sessions }))
  const ids = (options?: { open: boolean }) => store.sessions(options).map(({ id }) => id)
  expect(ids()).toEqual(['latest', 'shut', 'old'])
  expect(ids({ open: true })).toEqual(['latest', 'old'])
  expect(ids({ open: false })).toEqual(['shut'])
  expect(store.session('nobody')).toBeUndefined()
})

it('folders are remembered once', () => {
  const store = aStore()
  for (const path of ['/home/ada/.claude', '/home/ada/.claude-work', '/home/ada/.claude'])
    store.rememberFolder({ agent: 'claude', path })
  expect(store.folders()).toEqual([
    { agent: 'claude', path: '/home/ada/.claude' },
    { agent: 'claude', path: '/home/ada/.claude-work' },
  ])
})

it('counts rows, bytes and events', () => {
  const store = aStore()
  const named = (t: number, name: unknown) =>
    aNew(t, { report: aReport(t, { payload: { hook_event_name: name } }) })
  const reports = [
    named(1, 'Stop'),
    named(2, 'Stop'),
    named(3, 'PreToolUse'),
    named(4, 7),
    aNew(5, { report: aReport(5, { source: 'registry' }) }),
  ]
  store.commit(aCommit({ reports, sessions: [aSession('one')] }))
  expect(store.counts()).toMatchObject({ reports: 5, sessions: 1, changes: 0, oldestAt: 1 })
  expect(store.counts().bytes).toBeGreaterThan(4096)
  expect(store.eventCounts(0)).toEqual(new Map(Object.entries({ Stop: 2, PreToolUse: 1 })))
  expect(store.eventCounts(2)).toEqual(new Map(Object.entries({ Stop: 1, PreToolUse: 1 })))
})

it('[D4] a row that cannot be what was written is left out, and the rest is read', () => {
  const path = aPath()
  const { store } = open(path)
  const changes = [aChange(1, 1), aChange(2, 2)]
  store.commit(aCommit({ reports: [aNew(1), aNew(2), aNew(3)], changes }))
  const other = new DatabaseSync(path)
  other.exec(`UPDATE reports SET body = '{"t":1,' WHERE id = 1`)
  other.exec(`UPDATE reports SET body = '{"t":2,"source":"moon"}' WHERE id = 2`)
  other.exec(`UPDATE changes SET body = '[]' WHERE id = 1`)
  other.close()
  expect(store.reports().map(({ id }) => id)).toEqual([3])
  expect(store.changesAfter(0, 10).map(({ id }) => id)).toEqual([2])
})
