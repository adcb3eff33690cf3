import { writeSync } from 'node:fs'
import { openStore } from '../../src/store/open.ts'
import type { NewReport } from '../../src/store/store.ts'

/** Commits batches until it is killed, and prints each key once its commit has returned. */
const [path = '', round = ''] = process.argv.slice(2)
const { store } = openStore(path)
const text = 'x'.repeat(600)
let count = 0

for (;;) {
  const batch = Array.from({ length: 1 + (count % 40) }, () => aReport())
  const cursor = { path: `/round/${round}`, inode: '1', offset: count }
  store.commit({ reports: batch, changes: [], sessions: [], cursors: [cursor], renamed: [] })
  writeSync(1, batch.map(({ key }) => `${key}\n`).join(''))
}

function aReport(): NewReport {
  count += 1
  const report = { t: count, source: 'hook', payload: { text } } as const
  return { report, session: `s${count % 20}`, key: `${round}.${count}` }
}
