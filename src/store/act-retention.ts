import type { DatabaseSync } from 'node:sqlite'
import { canonicalJson } from '../core/json.ts'
import { CHAIN } from './chain.ts'
import { aboutLog, addAct } from './chained.ts'
import { raiseMark, readMark } from './marks.ts'
import { selectNumber } from './migrate.ts'

export interface ActsBound {
  readonly acts: number
  readonly bytes: number
}

/**
 * SPEC AU5. Acts do not expire. A person does a few hundred a day: a million take decades, and 400
 * MB are as many of ordinary size, or some thousands that each show a long file.
 */
const BOUND: ActsBound = { acts: 1_000_000, bytes: 400_000_000 }

/** Removed at once, so that notes of removal stay few. */
const SHARE = 0.05

/** Rows between two checks of the clock. */
const STEP_ROWS = 64

/** One step; returns how many acts it removed. The removal is logged before it happens. */
export function pruneActs(db: DatabaseSync, now: number, bound: ActsBound = BOUND): number {
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
  // The newest stays: the note of removal must follow an act.
  const wanted = Math.min(last - 1, first + Math.ceil(count * SHARE) - 1)
  const row = db.prepare('SELECT id, hash FROM acts WHERE id <= ? ORDER BY id DESC').get(wanted)
  if (!row) return 0
  const removal = { removedTo: Number(row.id), hash: String(row.hash) }
  const words = `the oldest acts are removed, up to act ${removal.removedTo}: the log is full`
  addAct(db, { ...aboutLog(CHAIN, now, words), shown: canonicalJson(removal) })
  raiseMark(db, 'acts-gone', removal.removedTo)
  return 1
}
