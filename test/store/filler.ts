import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../src/store/errors.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'

/** Run on a file system of a test's own: fills it, or finds that it cannot be written. */
const [what = '', folder = ''] = process.argv.slice(2)
const path = join(folder, 'vigil.db')
const text = 'x'.repeat(2_000)

if (what === 'make') openStore(path).store.close()
if (what === 'refuse') tell({ reason: reasonOf(() => openStore(path)) })
if (what === 'fill') fill()

function fill(): void {
  chmodSync(folder, 0o700)
  const { store } = openStore(path)
  // What other programs will give back later.
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(500_000))
  let acknowledged = 0
  const reason = reasonOf(() => {
    for (; acknowledged < 100_000; acknowledged += 1) commit(store, acknowledged)
  })
  const ballast = reasonOf(() => commit(store, 100_000))
  rmSync(join(folder, 'ballast'))
  const kept = store.counts().reports
  commit(store, 200_000)
  const after = store.counts().reports
  store.close()
  const { store: again, notice = null } = openStore(path)
  again.close()
  const db = new DatabaseSync(path)
  const integrity = db.prepare('PRAGMA integrity_check').get()?.integrity_check
  tell({ reason, ballast, acknowledged, kept, after, notice, integrity })
}

function commit(store: Store, t: number): void {
  const report = { t, source: 'hook', payload: { text } } as const
  const reports = [{ report, session: 'one', key: `${t}` }]
  store.commit({ reports, changes: [], sessions: [], cursors: [], renamed: [] })
}

function reasonOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof StoreError) return error.reason
    throw error
  }
}

function tell(what: object): void {
  process.stdout.write(JSON.stringify(what))
}
