import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/store/chain.ts'
import { ChainCheck } from '../../src/store/chain-check.ts'
import type { Store } from '../../src/store/store.ts'
import { aPath, open } from '../store/samples.ts'

function breaksOf(store: Store) {
  const check = new ChainCheck()
  for (const act of store.acts.page({ limit: 1_000 })) check.take(act)
  check.end()
  return check.breaks
}

it('[AU6] acts of an older log are chained, and it is noted that they were not before', () => {
  const path = aPath()
  mkdirSync(dirname(path), { mode: 0o700 })
  const db = new DatabaseSync(path)
  db.exec(readFileSync('test/store/fixtures/schema-004.sql', 'utf8'))
  db.exec(`INSERT INTO acts (id, at, session, what, who, place, words)
    VALUES (7, 1790000000001.5, 'two', 'prompt', 'ada', 'page', 'go on')`)
  db.close()
  const { store } = open(path)
  const acts = store.acts.page({ limit: 9 })
  expect(acts.map(({ id, what }) => `${id} ${what}`)).toEqual(['1 answer', '7 prompt', '8 chain'])
  expect(acts[2]).toMatchObject({
    words: 'the chain begins: 2 acts were noted before it, without hashes',
    digest: acts[1]?.hash,
  })
  expect(breaksOf(store)).toEqual([])
  store.close()
  expect(open(path).store.acts.page({ limit: 9 })).toEqual(acts)
})

it('[AU7] a log that was damaged carries its acts over, and says that some may be lost', () => {
  const path = aPath()
  const { store } = open(path)
  for (let i = 0; i < 400; i++)
    store.acts.note({
      ...{ at: 1, session: 'one', what: 'answer', who: 'ada', where: 'cli' },
      ...{ words: `act ${i}`, shown: 'x'.repeat(500), digest: sha256(String(i)) },
    })
  const noted = new Map(store.acts.page({ limit: 1_000 }).map((act) => [act.id, act.hash]))
  store.close()
  const bytes = readFileSync(path)
  bytes.fill(0x5a, Math.floor(bytes.length * 0.6), Math.floor(bytes.length * 0.65))
  writeFileSync(path, bytes)
  const { store: rebuilt, notice } = open(path, { checkWhole: true })
  expect(notice).toContain('was rebuilt')
  const acts = rebuilt.acts.page({ limit: 1_000 })
  expect(acts.length).toBeGreaterThan(200)
  expect(acts.at(-1)).toMatchObject({ what: 'gap', words: expect.stringContaining('rebuilt') })
  for (const { id, hash, what } of acts) if (what !== 'gap') expect(hash).toBe(noted.get(id))
  expect(breaksOf(rebuilt).map(({ act }) => act)).toContain(acts.at(-1)?.id)
})
