import type { DatabaseSync } from 'node:sqlite'
import type { Cursor } from '../sources/arrival.ts'
import { storeError } from './errors.ts'
import { readMark } from './marks.ts'
import { selectNumber } from './migrate.ts'
import { changeFrom, cursorFrom, type Row, reportFrom, sessionFrom, verdictFrom } from './rows.ts'
import type {
  AgentFolder,
  LoggedChange,
  LoggedReport,
  LoggedVerdict,
  ReportFilter,
  SessionRow,
} from './store.ts'
import { databaseName } from './transact.ts'

/** The default size of a result: a session may have a million reports. */
const REPORTS_DEFAULT = 1_000

/** Rows of a replay in memory at a time. */
const REPLAY_PAGE = 256

/** Rows that SQLite or JSON cannot read are left out: the rest is still true. */
export class Reader {
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#statements = prepare(db)
  }

  known(keys: readonly string[]): Set<string> {
    return this.#reading(
      () => new Set(keys.filter((key) => this.#statements.known.get(key) !== undefined)),
    )
  }

  reports({ session, source, after, limit }: ReportFilter): LoggedReport[] {
    const where = ['id > ?']
    const values: (string | number)[] = [after ?? 0]
    if (session !== undefined) {
      where.push('session = ?')
      values.push(session)
    }
    if (source !== undefined) {
      where.push('source = ?')
      values.push(source)
    }
    const sql = `SELECT id, session, key, body FROM reports
                 WHERE ${where.join(' AND ')} ORDER BY id LIMIT ?`
    const rows = () => this.#db.prepare(sql).all(...values, limit ?? REPORTS_DEFAULT)
    return this.#reading(() => kept(rows(), reportFrom))
  }

  /** The ids first, then page by page: a million reports are 8 MB here, not a gigabyte. */
  *openReports(): Generator<LoggedReport> {
    const ids = this.#reading(() => this.#openIds())
    for (let from = 0; from < ids.length; from += REPLAY_PAGE) {
      const page = JSON.stringify([...ids.subarray(from, from + REPLAY_PAGE)])
      yield* this.#reading(() => kept(this.#statements.byIds.all(page), reportFrom))
    }
  }

  #openIds(): Float64Array {
    const ids: number[] = []
    for (const { id } of this.#statements.openIds.iterate()) ids.push(Number(id))
    return Float64Array.from(ids).sort()
  }

  changesAfter(id: number, limit: number): LoggedChange[] {
    return this.#reading(() => kept(this.#statements.changes.all(id, limit), changeFrom))
  }

  history(session: string, limit: number): LoggedVerdict[] {
    const rows = () => this.#statements.history.all(session, limit)
    return this.#reading(() => kept(rows(), verdictFrom))
  }

  firstChangeId(): number {
    return this.#reading(() => readMark(this.#db, 'changes-gone') + 1)
  }

  lastChangeId(): number {
    return this.#reading(() =>
      Math.max(
        selectNumber(this.#db, 'SELECT max(id) FROM changes'),
        readMark(this.#db, 'changes-gone'),
      ),
    )
  }

  sessions(open: boolean | undefined): SessionRow[] {
    const { sessions, sessionsOpen, sessionsShut } = this.#statements
    const some = open ? sessionsOpen : sessionsShut
    return this.#reading(() => kept((open === undefined ? sessions : some).all(), sessionFrom))
  }

  closedSince(t: number): SessionRow[] {
    return this.#reading(() => kept(this.#statements.closedSince.all(t), sessionFrom))
  }

  session(id: string): SessionRow | undefined {
    return this.#reading(() => kept([this.#statements.session.get(id)], sessionFrom)[0])
  }

  cursors(): Cursor[] {
    return this.#reading(() => kept(this.#statements.cursors.all(), cursorFrom))
  }

  cursor(path: string): Cursor | undefined {
    return this.#reading(() => kept([this.#statements.cursor.get(path)], cursorFrom)[0])
  }

  folders(): AgentFolder[] {
    const rows = this.#reading(() => this.#statements.folders.all())
    return rows.map(({ path, agent }) => ({ path: String(path), agent: String(agent) }))
  }

  heardAt(host: string): Map<string, number> {
    const rows = this.#reading(() => this.#statements.heard.all(host))
    return new Map(rows.map(({ agent, at }) => [String(agent), Number(at)]))
  }

  eventCounts(sinceT: number): Map<string, number> {
    const rows = this.#reading(() => this.#statements.events.all(sinceT))
    return new Map(rows.map(({ event, n }) => [String(event), Number(n)]))
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw storeError('could not read', databaseName(this.#db), error)
    }
  }
}

const REPORT = 'SELECT id, session, key, body FROM reports'
const CHANGE = 'SELECT id, t, session, kind, body FROM changes'
const SESSION = 'SELECT id, host, agent, state, first_at, last_at, open, parent, body FROM sessions'

function prepare(db: DatabaseSync) {
  return {
    known: db.prepare('SELECT 1 FROM reports WHERE key = ?'),
    // A process report without a session is about the machine: its clock was set, it slept.
    openIds: db.prepare(
      `SELECT id FROM reports WHERE session IN (SELECT id FROM sessions WHERE open = 1)
       UNION ALL SELECT id FROM reports WHERE session IS NULL AND source = 'process'`,
    ),
    byIds: db.prepare(`${REPORT} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`),
    changes: db.prepare(`${CHANGE} WHERE id > ? ORDER BY id LIMIT ?`),
    history: db.prepare(`${CHANGE} WHERE session = ? AND kind <> 'gone' ORDER BY id DESC LIMIT ?`),
    sessions: db.prepare(`${SESSION} ORDER BY last_at DESC, id`),
    sessionsOpen: db.prepare(`${SESSION} WHERE open = 1 ORDER BY last_at DESC, id`),
    sessionsShut: db.prepare(`${SESSION} WHERE open = 0 ORDER BY last_at DESC, id`),
    closedSince: db.prepare(`${SESSION} WHERE open = 0 AND last_at >= ? ORDER BY last_at DESC, id`),
    session: db.prepare(`${SESSION} WHERE id = ?`),
    cursors: db.prepare('SELECT path, inode, read_to FROM cursors ORDER BY path'),
    cursor: db.prepare('SELECT path, inode, read_to FROM cursors WHERE path = ?'),
    folders: db.prepare('SELECT path, agent FROM folders ORDER BY path'),
    heard: db.prepare(
      'SELECT agent, max(last_at) AS at FROM sessions WHERE host = ? GROUP BY agent',
    ),
    events: db.prepare(
      `SELECT event, count(*) AS n FROM reports WHERE t >= ? AND event <> '' GROUP BY event`,
    ),
  }
}

function kept<T>(rows: readonly (Row | undefined)[], from: (row: Row) => T | undefined): T[] {
  return rows.flatMap((row) => (row && from(row)) ?? [])
}
