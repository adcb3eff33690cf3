import type { DatabaseSync } from 'node:sqlite'
import { canonicalJson } from '../core/canonical.ts'
import { CHAIN } from './chain.ts'
import { aboutLog, addAct } from './chained.ts'
import { raiseMark, readMark } from './marks.ts'
import { selectNumber } from './migrate.ts'

export interface ActsBound {
  readonly acts: number
  readonly bytes: number
}

/**
 * SPEC AU5. Age takes no act. A person does some hundred a day: a million are decades, and 400 MB
 * are as many of ordinary size, or some thousands that each show a long file.
 */
const BOUND: ActsBound = { acts: 1_000_000, bytes: 400_000_000 }

/** Removed at once, so that notes of removal stay few. */
const SHARE = 0.05

/** Rows between two looks at the clock. */
const STEP_ROWS = 64

/** One step; how many acts it removed. That the oldest go is noted before they do. */
export function thinActs(db: DatabaseSync, now: number, bound: ActsBound = BOUND): number {
  const first = selectNumber(db, 'SELECT min(id) FROM acts')
  const last = selectNumber(db, 'SELECT max(id) FROM acts')
  const noted = readMark(db, 'acts-gone')
  if (first > 0 && first <= noted) {
    const sql =
      'DELETE FROM acts WHERE id IN (SELECT id FROM acts WHERE id <= ? ORDER BY id LIMIT ?)'
    return Number(db.prepare(sql).run(noted, STEP_ROWS).changes)
  }
  const count = last - first + 1
  if (count <= bound.acts && readMark(db, 'acts-bytes') <= bound.bytes) return 0
  // The newest stays: its note must follow something.
  const wanted = Math.min(last - 1, first + Math.ceil(count * SHARE) - 1)
  const row = db.prepare('SELECT id, hash FROM acts WHERE id <= ? ORDER BY id DESC').get(wanted)
  if (!row) return 0
  const removal = { removedTo: Number(row.id), hash: String(row.hash) }
  const words = `the oldest acts are removed, up to act ${removal.removedTo}: the log is full`
  addAct(db, { ...aboutLog(CHAIN, now, words), shown: canonicalJson(removal) })
  raiseMark(db, 'acts-gone', removal.removedTo)
  return 1
}
