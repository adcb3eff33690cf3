import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { actHash, type ChainedAct, GENESIS } from '../../src/store/chain.ts'
import { ChainCheck, type ChainCheckOptions } from '../../src/store/chain-check.ts'
import type { Store } from '../../src/store/store.ts'
import { aPath, aStore, open } from '../store/samples.ts'

const NOW = 1_790_000_000_000

function note(store: Store, words: string, more: object = {}) {
  const by = { session: 'one', what: 'answer', who: 'ada', where: 'cli' }
  return store.acts.note({ at: NOW, ...by, words, ...more })
}

function aLog(path = aPath()): { path: string; store: Store } {
  const { store } = open(path)
  for (const words of ['allowed Bash', 'denied Edit', 'interrupted', '12 keys', 'allowed Write'])
    note(store, words, { shown: `{"tool":"${words}"}`, digest: 'd' })
  return { path, store }
}

/** Everything there is, a few at a time. */
function* pagesOf(store: Store, limit = 2): Generator<ChainedAct> {
  for (let after = 0; ; ) {
    const page = store.acts.page({ after, limit })
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.id
  }
}

function checked(store: Store, options: ChainCheckOptions = {}, head?: string) {
  const check = new ChainCheck(options)
  if (head !== undefined) check.expect(head, 'the head')
  for (const act of pagesOf(store)) check.take(act)
  check.end()
  return check.breaks
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}

it('[AU1] each act carries the hash of the one before it, and the first follows zeros', () => {
  const acts = [...pagesOf(aLog().store)]
  expect(acts.map(({ previous }) => previous)).toEqual([
    GENESIS,
    ...acts.slice(0, -1).map(({ hash }) => hash),
  ])
  expect(acts.map(({ hash }) => hash)).toEqual(acts.map(({ hash: _, ...act }) => actHash(act)))
  expect(acts.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
})

it('[AU1] the chain goes on after the log was closed, and holds whatever was typed', () => {
  const { path, store } = aLog()
  store.close()
  const again = open(path).store
  for (const words of ['\ud800 half', 'nul \0 in it', '☕ “quoted”\n\u2028', '']) note(again, words)
  expect(checked(again)).toEqual([])
  expect([...pagesOf(again)]).toHaveLength(9)
})

it('[AU1] of two that note at once neither loses the other', () => {
  const { path, store } = aLog()
  const other = open(path).store
  for (let i = 0; i < 50; i++) {
    note(store, `here ${i}`)
    note(other, `there ${i}`)
  }
  expect(checked(store)).toEqual([])
  expect([...pagesOf(store)]).toHaveLength(105)
})

describe('verification', () => {
  it('[AU2] says nothing of a whole log', () => {
    const { store } = aLog()
    expect(checked(store, {}, store.acts.hashAt(5))).toEqual([])
  })

  const changes: Readonly<Record<string, readonly [sql: string, act: number]>> = {
    'its words were edited': ["UPDATE acts SET words = 'x' WHERE id = 2", 2],
    'what was shown was replaced': ["UPDATE acts SET shown = '{}' WHERE id = 3", 3],
    'its time was moved': ['UPDATE acts SET at = at + 1 WHERE id = 4', 4],
    'who did it was changed': ["UPDATE acts SET who = 'eve' WHERE id = 1", 1],
    'its hash was changed': ['UPDATE acts SET hash = previous WHERE id = 5', 5],
    'one in the middle was deleted': ['DELETE FROM acts WHERE id = 3', 4],
    'the first was deleted': ['DELETE FROM acts WHERE id = 1', 2],
    'one was put in': [
      `INSERT INTO acts SELECT 6, at, session, what, who, place, words, shown, digest, previous,
         hash FROM acts WHERE id = 5`,
      6,
    ],
    'two were swapped': [
      `UPDATE acts SET id = 90 WHERE id = 2; UPDATE acts SET id = 2 WHERE id = 3;
       UPDATE acts SET id = 3 WHERE id = 90`,
      2,
    ],
  }

  it.each(Object.entries(changes))('[AU2] names the act when %s', (_, [sql, act]) => {
    const { path, store } = aLog()
    change(path, sql)
    expect(checked(store)[0]).toMatchObject({ act })
  })

  it('[AU2] names the next act when one was changed together with its hash', () => {
    const { path, store } = aLog()
    const [, second] = [...pagesOf(store)]
    if (!second) throw new Error('no second act')
    const hash = actHash({ ...second, words: 'denied Bash' })
    change(path, `UPDATE acts SET words = 'denied Bash', hash = '${hash}' WHERE id = 2`)
    expect(checked(store)[0]).toMatchObject({ act: 3 })
  })

  it('[AU3] notices by the newest hash that the last act was deleted', () => {
    const { path, store } = aLog()
    const head = store.acts.hashAt(5)
    change(path, 'DELETE FROM acts WHERE id = 5')
    expect(checked(store)).toEqual([])
    expect(checked(store, {}, head)).toEqual([
      { act: null, why: expect.stringContaining('which the head names') },
    ])
  })

  it('[AU2] begins with a later act, to pass by a gap that is known', () => {
    const { path, store } = aLog()
    change(path, 'DELETE FROM acts WHERE id = 2')
    expect(checked(store, { from: 3 })).toEqual([])
    change(path, "UPDATE acts SET words = 'x' WHERE id = 4")
    expect(checked(store, { from: 3 })[0]).toMatchObject({ act: 4 })
  })
})

describe('retention', () => {
  const options = { now: NOW, keepMs: 1, sizeMaxBytes: 1, sliceRows: 10_000 }

  it('[AU5] takes no act by age or for the size of the rest', () => {
    const { store } = aLog()
    while (store.prune({ ...options, now: NOW * 2 }).more);
    expect([...pagesOf(store)]).toHaveLength(5)
  })

  it.each([
    ['in number', { acts: 200, bytes: 1e9 }],
    ['in bytes', { acts: 1e6, bytes: 100_000 }],
  ])('[AU5] takes the oldest beyond the bound %s, and the rest is whole', (_, acts) => {
    const { store } = aLog()
    for (let i = 0; i < 400; i++) note(store, `act ${i}`, { shown: 'x'.repeat(100) })
    for (let i = 0; i < 1_000 && store.prune({ ...options, acts }).more; i++);
    const left = [...pagesOf(store, 100)]
    expect(left.length).toBeGreaterThan(100)
    expect(left.length).toBeLessThanOrEqual(205)
    expect(left.at(-1)).toMatchObject({ what: 'chain' })
    expect(checked(store)).toEqual([])
    // Nothing but the note tells what the first act follows.
    const check = new ChainCheck()
    for (const act of left.filter(({ what }) => what !== 'chain')) check.take(act)
    check.end()
    expect(check.breaks.map(({ act }) => act)).toContain(left[0]?.id)
  })
})

it('[AU4] a page is bounded in acts and in letters, and pages hold everything once', () => {
  const store = aStore()
  for (let i = 0; i < 60; i++) note(store, 'allowed Write', { shown: 'x'.repeat(250_000) })
  expect(store.acts.page({ limit: 1_000 }).length).toBeLessThan(12)
  expect(store.acts.page({ limit: 1_000, last: true }).at(-1)?.id).toBe(60)
  const ids = [...pagesOf(store, 1_000)].map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
})

it('[AU1] an act is not noted in a file that was removed meanwhile', () => {
  const { path, store } = aLog()
  change(path, 'VACUUM')
  const moved = open(aPath()).store
  moved.close()
  process.getBuiltinModule('node:fs').renameSync(moved.path, path)
  expect(() => note(store, 'allowed Bash')).toThrow(/was removed or replaced/)
})
