import { statSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  aChange,
  aCommit,
  aNew,
  aReport,
  aSession,
  aStore,
  open,
} from '../../test/store/samples.ts'
import type { Pruned, PruneOptions } from './retention.ts'
import type { Store } from './store.ts'

const DAY_MS = 86_400_000
const NOW = 100 * DAY_MS
const OLD = NOW - 31 * DAY_MS
const YOUNG = NOW - DAY_MS
const LIMITS: PruneOptions = {
  now: NOW,
  keepMs: 30 * DAY_MS,
  sizeMaxBytes: 1e12,
  sliceRows: 10_000,
}

describe('by age', () => {
  it('[D10] takes old reports, changes and sessions, and nothing that is young', () => {
    const store = aStore()
    fill(store, 'old', OLD, 10, { open: false })
    fill(store, 'young', YOUNG, 10, { open: false })
    const unowned = aNew(OLD, { session: undefined, key: undefined })
    store.commit(aCommit({ reports: [unowned] }))
    expect(pruned(store)).toMatchObject({ reports: 11, changes: 10, sessions: 1 })
    expect(store.sessions().map(({ id }) => id)).toEqual(['young'])
    expect(store.reports().map(({ session }) => session)).toEqual(Array(10).fill('young'))
    expect(store.changesAfter(0, 100)).toHaveLength(10)
  })

  it('[D10] takes nothing of an open session, however old', () => {
    const store = aStore()
    fill(store, 'open', OLD, 300, { open: true })
    fill(store, 'shut', OLD, 300, { open: false })
    pruned(store)
    expect(store.counts()).toMatchObject({ reports: 300, changes: 300, sessions: 1 })
    expect([...store.openReports()]).toHaveLength(300)
    store.commit(aCommit({ sessions: [aSession('open', { open: false, lastAt: OLD })] }))
    expect(pruned(store)).toMatchObject({ reports: 300, changes: 300, sessions: 1 })
  })

  it('[D10] keeps the row of a session of which anything is left', () => {
    const store = aStore()
    fill(store, 'shut', YOUNG, 1, { open: false })
    store.commit(aCommit({ sessions: [aSession('shut', { open: false, lastAt: OLD })] }))
    expect(pruned(store).sessions).toBe(0)
  })

  it('[D10] a report from a clock that ran ahead does not keep those behind it', () => {
    const store = aStore()
    store.commit(aCommit({ reports: [aNew(NOW + 3_650 * DAY_MS), aNew(OLD)] }))
    expect(pruned(store).reports).toBe(1)
  })
})

describe('by size', () => {
  it('[D10] beyond the size the oldest go first, and the file shrinks', () => {
    const store = aStore()
    fill(store, 'shut', YOUNG, 4_000, { open: false })
    fill(store, 'open', YOUNG - 1_000_000, 100, { open: true })
    const before = store.counts()
    const sizeMaxBytes = Math.floor(before.bytes / 4)
    pruned(store, { sizeMaxBytes })
    const left = store.reports({ session: 'shut', limit: 10_000 }).map(({ report }) => report.t)
    expect(left.length).toBeGreaterThan(100)
    expect(left.length).toBeLessThan(2_000)
    expect(left).toEqual(left.map((_, i) => YOUNG + 4_000 - left.length + i))
    expect(store.reports({ session: 'open' })).toHaveLength(100)
    store.close()
    expect(statSync(store.path).size).toBeLessThanOrEqual(sizeMaxBytes)
  })

  it('[D10] open sessions may fill the log beyond its size', () => {
    const store = aStore()
    fill(store, 'open', OLD, 500, { open: true })
    expect(pruned(store, { sizeMaxBytes: 1 })).toMatchObject({ reports: 0, changes: 0 })
    expect(store.counts().reports).toBe(500)
  })
})

describe('in slices', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('[D11] a slice ends with its rows', () => {
    const store = aStore()
    fill(store, 'shut', OLD, 1_000, { open: false })
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const { reports, changes, more } = store.prune({ ...LIMITS, sliceRows: 200 })
    expect(more).toBe(true)
    expect(reports + changes).toBeGreaterThanOrEqual(200)
    expect(reports + changes).toBeLessThan(400)
  })

  it('[D11] a slice ends with its time, however many rows it was given', () => {
    const store = aStore()
    fill(store, 'shut', OLD, 30_000, { open: false })
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now++)
    const { reports, more } = store.prune({ ...LIMITS, sliceRows: 1e9 })
    expect(more).toBe(true)
    expect(reports).toBeLessThan(20_000)
  })

  it('[D11] what an open session keeps is passed by, slice after slice', () => {
    const store = aStore()
    fill(store, 'open', OLD - 1_000_000, 2_000, { open: true })
    fill(store, 'shut', OLD, 100, { open: false })
    expect(pruned(store, { sliceRows: 64 })).toMatchObject({ reports: 100, changes: 100 })
  })
})

describe('what subscribers get', () => {
  it('[D9] from the first id on every change is there', () => {
    const store = aStore()
    fill(store, 'open', OLD, 5, { open: true })
    fill(store, 'shut', OLD, 5, { open: false })
    fill(store, 'young', YOUNG, 5, { open: true })
    const last = store.lastChangeId()
    pruned(store)
    expect(store.firstChangeId()).toBe(last - 4)
    const resumed = store.changesAfter(store.firstChangeId() - 1, 100)
    expect(resumed.map(({ id }) => id)).toEqual([4, 3, 2, 1, 0].map((back) => last - back))
  })

  it('[D9] ids go on when all changes and reports are gone', () => {
    const store = aStore()
    fill(store, 'shut', OLD, 5, { open: false })
    const last = store.lastChangeId()
    pruned(store)
    expect(store.counts()).toMatchObject({ reports: 0, changes: 0, sessions: 0 })
    expect([store.firstChangeId(), store.lastChangeId()]).toEqual([last + 1, last])
    store.close()
    const again = open(store.path).store
    expect(again.lastChangeId()).toBe(last)
    expect(again.commit(aCommit({ reports: [aNew(1)] })).ids).toEqual([6])
  })
})

/** `count` reports and changes, a millisecond apart. */
function fill(
  store: Store,
  session: string,
  from: number,
  count: number,
  { open }: { readonly open: boolean },
): void {
  const id = store.lastChangeId() + 1
  const text = 'x'.repeat(500)
  const times = Array.from({ length: count }, (_, n) => from + n)
  const reports = times.map((t) =>
    aNew(t, { session, key: undefined, report: aReport(t, { text }) }),
  )
  const changes = times.map((t, n) => aChange(id + n, t, session))
  const sessions = [aSession(session, { open, firstAt: from, lastAt: from + count })]
  store.commit(aCommit({ reports, changes, sessions }))
}

/** The whole of a pass. */
function pruned(store: Store, limits: Partial<PruneOptions> = {}): Omit<Pruned, 'more'> {
  const sum = { reports: 0, changes: 0, sessions: 0 }
  for (let slices = 0; slices < 10_000; slices += 1) {
    const { reports, changes, sessions, more } = store.prune({ ...LIMITS, ...limits })
    sum.reports += reports
    sum.changes += changes
    sum.sessions += sessions
    if (!more) return sum
  }
  throw new Error('retention never ends')
}
