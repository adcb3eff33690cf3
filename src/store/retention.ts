import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type ActsBound, pruneActs } from './act-retention.ts'
import { storeError } from './errors.ts'
import { raiseMark, readMark } from './marks.ts'
import { selectNumber } from './migrate.ts'
import { databaseName, transact } from './transact.ts'

export interface PruneOptions {
  readonly now: number
  readonly keepMs: number
  readonly sizeMaxBytes: number
  /** How many rows are read at most before control returns to the caller. */
  readonly sliceRows: number
  /** The limit of the audit log; the default unless given. */
  readonly acts?: ActsBound
}

export interface Pruned {
  readonly reports: number
  readonly changes: number
  readonly sessions: number
  /** Call again: this slice is over, the work is not. */
  readonly more: boolean
}

/** A third of the 20 ms for which a slice may block the daemon: commit and vacuum follow. */
const SLICE_MAX_MS = 6

/** Rows between two checks of the clock and of the size. */
const STEP_ROWS = 64

/** Measured: 1 MB of pages moves in 1 to 3 ms. */
const VACUUM_PAGES = 256

/**
 * Removes entries older than `keepMs` and, beyond the size, the oldest first; nothing of an open
 * session (SPEC D10). A pass goes through both tables by age and remembers its position, so that
 * rows of open sessions are read once per pass and not once per slice.
 */
export class Pruner {
  readonly #db: DatabaseSync
  readonly #reports: Sweep
  readonly #changes: Sweep
  readonly #sessions: StatementSync
  readonly #loops: StatementSync
  readonly #steps: StatementSync
  readonly #usage: StatementSync
  readonly #absences: StatementSync

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#reports = new Sweep(db, 'reports')
    this.#changes = new Sweep(db, 'changes')
    this.#sessions = db.prepare(
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions AS s WHERE open = 0 AND last_at < ?
           AND NOT EXISTS (SELECT 1 FROM reports WHERE session = s.id)
           AND NOT EXISTS (SELECT 1 FROM changes WHERE session = s.id)
         LIMIT ?)`,
    )
    this.#loops = db.prepare(
      `DELETE FROM loops WHERE id IN
         (SELECT id FROM loops WHERE open = 0 AND updated_at < ? LIMIT ?)`,
    )
    this.#steps = db.prepare(
      `DELETE FROM loop_steps WHERE id IN
         (SELECT id FROM loop_steps WHERE loop NOT IN (SELECT id FROM loops) LIMIT ?)`,
    )
    this.#usage = db.prepare(
      `DELETE FROM usage WHERE message IN (SELECT message FROM usage WHERE t < ? LIMIT ?)`,
    )
    this.#absences = db.prepare(
      `DELETE FROM absences WHERE until IN (SELECT until FROM absences WHERE until < ? LIMIT ?)`,
    )
  }

  prune(options: PruneOptions): Pruned {
    const until = performance.now() + SLICE_MAX_MS
    let over = true
    try {
      const gone = transact(this.#db, 'could not remove old reports', () =>
        this.#slice(options, until),
      )
      over = gone.over
      const { reports, changes, sessions } = gone
      return { reports, changes, sessions, more: !this.#vacuum() || !over }
    } finally {
      // Also after a failure: rolled-back rows are before the position again.
      if (over) this.#beginAgain()
    }
  }

  #slice(options: PruneOptions, until: number) {
    const { now, keepMs, sizeMaxBytes, sliceRows, acts } = options
    const cutoff = now - keepMs
    const gone = { reports: 0, changes: 0, sessions: 0 }
    let looked = 0
    do {
      const before = usedBytes(this.#db) > sizeMaxBytes ? Number.POSITIVE_INFINITY : cutoff
      const reports = this.#reports.step(before)
      // Changes follow at the pace of the reports: both lose their oldest.
      const changes = this.#changes.step(reports.over ? before : reports.newestT)
      gone.reports += reports.deleted
      gone.changes += changes.deleted
      looked += reports.looked + changes.looked
      if (!reports.over || !changes.over) continue
      const sessions = Number(this.#sessions.run(cutoff, STEP_ROWS).changes)
      gone.sessions += sessions
      const others = this.#pruneOthers(cutoff) + pruneActs(this.#db, now, acts)
      looked += sessions + others
      if (sessions < STEP_ROWS && others === 0) return { ...gone, over: true }
    } while (looked < sliceRows && performance.now() < until)
    return { ...gone, over: false }
  }

  #pruneOthers(cutoff: number): number {
    const loops = Number(this.#loops.run(cutoff, STEP_ROWS).changes)
    const steps = Number(this.#steps.run(STEP_ROWS).changes)
    const aged = [this.#usage, this.#absences]
    const gone = aged.map((statement) => Number(statement.run(cutoff, STEP_ROWS).changes))
    return loops + steps + gone.reduce((sum, rows) => sum + rows, 0)
  }

  /**
   * Whether all free pages are being returned to the file system; the file shrinks from the next
   * checkpoint on. Vacuuming in each slice was tried: it doubles the time of a slice.
   */
  #vacuum(): boolean {
    try {
      const free = selectNumber(this.#db, 'PRAGMA freelist_count')
      if (free === 0) return true
      this.#db.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`)
      return free <= VACUUM_PAGES
    } catch (error) {
      throw storeError('could not return free pages', databaseName(this.#db), error)
    }
  }

  /** The next pass reads everything again: sessions close, and clocks go back. */
  #beginAgain(): void {
    this.#reports.rewind()
    this.#changes.rewind()
  }
}

interface Step {
  readonly looked: number
  readonly deleted: number
  readonly newestT: number
  readonly over: boolean
}

/** One pass through a table, oldest first. */
class Sweep {
  readonly #db: DatabaseSync
  readonly #mark: 'reports-gone' | 'changes-gone'
  readonly #look: StatementSync
  readonly #delete: StatementSync
  #t = Number.NEGATIVE_INFINITY
  #id = 0

  constructor(db: DatabaseSync, table: 'reports' | 'changes') {
    this.#db = db
    this.#mark = `${table}-gone`
    this.#look = db.prepare(
      `SELECT id, t, EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = x.session AND s.open = 1)
         AS open FROM ${table} AS x
       WHERE (t, id) > (?, ?) AND t < ? ORDER BY t, id LIMIT ${STEP_ROWS}`,
    )
    this.#delete = db.prepare(`DELETE FROM ${table} WHERE id = ?`)
  }

  step(before: number): Step {
    const rows = this.#look.all(this.#t, this.#id, before)
    const ids = rows.filter(({ open }) => open === 0).map(({ id }) => Number(id))
    for (const id of ids) this.#delete.run(id)
    if (ids.length > 0) raiseMark(this.#db, this.#mark, Math.max(...ids))
    const last = rows.at(-1)
    this.#t = Number(last?.t ?? this.#t)
    this.#id = Number(last?.id ?? this.#id)
    const over = rows.length < STEP_ROWS
    return { looked: rows.length, deleted: ids.length, newestT: this.#t, over }
  }

  rewind(): void {
    this.#t = Number.NEGATIVE_INFINITY
    this.#id = 0
  }
}

/** Pages in use: free ones are being returned to the file system, and acts have their own limit. */
function usedBytes(db: DatabaseSync): number {
  const pages = selectNumber(db, 'PRAGMA page_count') - selectNumber(db, 'PRAGMA freelist_count')
  return pages * selectNumber(db, 'PRAGMA page_size') - readMark(db, 'acts-bytes')
}
