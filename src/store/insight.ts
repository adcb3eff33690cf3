import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Usage } from '../agents/records.ts'
import { storeError } from './errors.ts'
import { raiseMark, readMark } from './marks.ts'
import { selectNumber } from './migrate.ts'
import { reportFrom, verdictFrom } from './rows.ts'
import type { LoggedReport, LoggedVerdict } from './store.ts'
import { databaseName, transact } from './transact.ts'

/** The few fields of a change that figures need. */
export interface SaidRow {
  readonly id: number
  readonly t: number
  readonly state: string
  /** What it waits for; for a replaced name, the session that it became. */
  readonly what: string | null
  readonly since: number
  readonly costUsd: number | null
}

export interface UsageRow extends Usage {
  readonly session: string
}

/** Where a page ended. */
interface Place {
  readonly t: number
  readonly id: number
}

interface Page {
  readonly reports: readonly LoggedReport[]
  /** Pass this as `before` for the next page; 0 when there are no more. */
  readonly next: number
}

/**
 * The tables for figures, read in small pages: reading a month lets other work run between pages.
 * Unreadable rows are left out.
 */
export class InsightTables {
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#statements = prepare(db)
  }

  /** The next session by name. `past`: from an imported recording. */
  sessionAfter(name: string): { readonly session: string; readonly past: boolean } | undefined {
    const row = this.#reading(() => this.#statements.session.get(name))
    return row && { session: String(row.session), past: row.past === 1 }
  }

  /** Its last change before this time. */
  saidBefore(session: string, t: number): SaidRow | undefined {
    const rows = this.#reading(() => rowsOf(this.#statements.before.all(session, t)))
    return rows.flatMap((row) => saidFrom(row) ?? [])[0]
  }

  /** Its changes in order, after a position. */
  said(session: string, after: Place, limit: number): SaidRow[] {
    const rows = () => this.#statements.said.all(session, after.t, after.id, limit)
    return this.#reading(() => rowsOf(rows()).flatMap((row) => saidFrom(row) ?? []))
  }

  verdict(change: number): LoggedVerdict | undefined {
    const row = this.#reading(() => this.#statements.verdict.get(change))
    return row && verdictFrom(row)
  }

  usage(after: { readonly t: number; readonly message: string }, limit: number): UsageRow[] {
    const rows = () => this.#statements.usage.all(after.t, after.message, limit)
    return this.#reading(() => rowsOf(rows()).map(usageFrom))
  }

  /** How many hooks reported in this period, and when the last of them did. */
  hooks(from: number, to: number): { readonly count: number; readonly lastAt: number | null } {
    const row = this.#reading(() => this.#statements.hooks.get(from, to))
    const lastAt = row?.last_at
    return { count: Number(row?.n ?? 0), lastAt: typeof lastAt === 'number' ? lastAt : null }
  }

  /** Hook and transcript reports among this many before an id; and where to continue. */
  told(before: number, ids: number): Page {
    const first = Math.max(0, before - ids)
    const rows = this.#reading(() => this.#statements.told.all(first, before))
    return { reports: rows.flatMap((row) => reportFrom(row) ?? []), next: first }
  }

  /** The same for one session. */
  toldOf(session: string, before: number, limit: number): Page {
    const rows = this.#reading(() => this.#statements.toldOf.all(session, before, limit))
    const reports = rows.flatMap((row) => (row.body === null ? [] : (reportFrom(row) ?? [])))
    return { reports, next: rows.length < limit ? 0 : Number(rows.at(-1)?.id ?? 0) }
  }

  lastReportId(): number {
    return this.#reading(() => selectNumber(this.#db, 'SELECT max(id) FROM reports'))
  }

  absences(from: number): { readonly from: number; readonly to: number }[] {
    const rows = this.#reading(() => this.#statements.absences.all(from))
    return rows.map(({ since, until }) => ({ from: Number(since), to: Number(until) }))
  }

  /** vigil did not watch in this period. */
  absent(since: number, until: number): void {
    if (!(until > since)) return
    transact(this.#db, 'could not write a time without a daemon', () =>
      this.#statements.absent.run(until, since),
    )
  }

  /** When vigil was last known to watch. */
  watchedAt(): number {
    return this.#reading(() => {
      const newest = Number(this.#statements.newest.get()?.t ?? 0)
      return Math.max(newest, readMark(this.#db, 'watched'))
    })
  }

  /** vigil watched until now, and ends. */
  leave(now: number): void {
    transact(this.#db, 'could not write the end of the daemon', () =>
      raiseMark(this.#db, 'watched', now),
    )
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw storeError('could not read figures', databaseName(this.#db), error)
    }
  }
}

const SAID = 'SELECT id, t, state, what, since, cost FROM said'
const REPORT = 'SELECT id, session, key, body FROM reports'
const TELLS = "source IN ('hook', 'transcript')"

function prepare(db: DatabaseSync) {
  return {
    session: db.prepare(
      'SELECT session, past FROM said WHERE session > ? ORDER BY session, t, id LIMIT 1',
    ),
    before: asLists(
      db.prepare(`${SAID} WHERE session = ? AND t < ? ORDER BY t DESC, id DESC LIMIT 1`),
    ),
    said: asLists(
      db.prepare(`${SAID} WHERE session = ? AND (t, id) > (?, ?) ORDER BY t, id LIMIT ?`),
    ),
    verdict: db.prepare('SELECT id, t, session, kind, body FROM changes WHERE id = ?'),
    usage: asLists(
      db.prepare(
        `SELECT message, session, t, input, output, cache_read, cache_written FROM usage
         WHERE (t, message) > (?, ?) ORDER BY t, message LIMIT ?`,
      ),
    ),
    hooks: db.prepare(
      `SELECT count(*) AS n, max(t) AS last_at FROM reports WHERE t >= ? AND t < ? AND event <> ''`,
    ),
    told: db.prepare(`${REPORT} WHERE id >= ? AND id < ? AND ${TELLS}`),
    // Screens are large and many: those of a session are skipped without being read.
    toldOf: db.prepare(
      `SELECT id, session, key, CASE WHEN ${TELLS} THEN body END AS body FROM reports
       WHERE session = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    ),
    absences: db.prepare('SELECT since, until FROM absences WHERE until > ? ORDER BY until'),
    absent: db.prepare(
      `INSERT INTO absences (until, since) VALUES (?, ?)
       ON CONFLICT (until) DO UPDATE SET since = min(since, excluded.since)`,
    ),
    newest: db.prepare('SELECT max(t) AS t FROM reports'),
  } satisfies Record<string, StatementSync>
}

/** Rows as lists, which for a million rows takes half the time of objects. */
function asLists(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}

type Values = readonly SQLOutputValue[]

function rowsOf(rows: readonly unknown[]): readonly Values[] {
  return rows as readonly Values[]
}

function saidFrom([id, t, state, what, since, cost]: Values): SaidRow | undefined {
  if (typeof id !== 'number' || typeof t !== 'number' || typeof state !== 'string') return undefined
  return {
    id,
    t,
    state,
    what: typeof what === 'string' ? what : null,
    since: typeof since === 'number' ? since : t,
    costUsd: typeof cost === 'number' ? cost : null,
  }
}

function usageFrom([message, session, t, input, output, read, written]: Values): UsageRow {
  return {
    message: String(message),
    session: String(session),
    t: Number(t),
    input: Number(input),
    output: Number(output),
    cacheRead: Number(read),
    cacheWritten: Number(written),
  }
}
