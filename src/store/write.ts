import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { agentOf } from '../agents/index.ts'
import type { Report } from '../core/signal.ts'
import type { Cursor } from '../sources/arrival.ts'
import { readMark } from './marks.ts'
import { selectNumber } from './migrate.ts'
import type {
  AgentFolder,
  Commit,
  Committed,
  LoggedChange,
  NewReport,
  SessionRow,
} from './store.ts'
import { transact } from './transact.ts'

/** The only code that adds to the log. */
export class Writer {
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>
  #nextReport: number

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#statements = prepare(db)
    const last = selectNumber(db, 'SELECT max(id) FROM reports')
    this.#nextReport = Math.max(last, readMark(db, 'reports-gone')) + 1
  }

  commit(commit: Commit): Committed {
    // Serialised before the transaction begins: a failure must not end it half-way.
    const bodies = commit.reports.map(({ report }) => bodyOf(report))
    const next = this.#nextReport
    try {
      return transact(this.#db, 'could not commit', () => {
        const ids = commit.reports.map((report, i) => this.#report(report, bodies[i] ?? ''))
        for (const change of commit.changes) this.#change(change)
        // A name that went out of use is not replayed.
        for (const change of commit.changes)
          if (change.kind === 'gone') this.#statements.markClosed.run(change.session)
        // After the reports: a batch may have a stand-in's report and the session it became.
        for (const { from, to } of commit.renamed) this.#rename(from, to)
        for (const row of commit.sessions) this.#session(row)
        for (const cursor of commit.cursors) this.#cursor(cursor)
        return { ids }
      })
    } catch (error) {
      this.#nextReport = next
      throw error
    }
  }

  rememberFolder({ agent, path }: AgentFolder): void {
    transact(this.#db, 'could not remember a folder', () =>
      this.#statements.folder.run(path, agent),
    )
  }

  markClosed(ids: readonly string[]): void {
    transact(this.#db, 'could not close sessions', () => {
      for (const id of ids) this.#statements.markClosed.run(id)
    })
  }

  forgetFolder(path: string): void {
    transact(this.#db, 'could not remove a folder', () => this.#statements.leaveFolder.run(path))
  }

  forgetCursors(paths: readonly string[]): void {
    transact(this.#db, 'could not remove cursors', () => {
      for (const path of paths) this.#statements.forget.run(path)
    })
  }

  /** The report's id, or undefined when its key is in the log already (SPEC D2). */
  #report({ report, session, key }: NewReport, body: string): number | undefined {
    const id = this.#nextReport
    const { t, source } = report
    const values = [id, t, source, session ?? null, key ?? null, reportEvent(report), body]
    if (Number(this.#statements.report.run(...values).changes) === 0) return undefined
    this.#nextReport += 1
    if (session !== undefined) this.#usage(report, session)
    return id
  }

  /**
   * SPEC IN8. A message repeated in another line or a fork's copy counts once, with its maximum.
   */
  #usage(report: Report, session: string): void {
    const usage = agentOf(report.agent)?.usage?.(report)
    if (!usage) return
    const { message, t, input, output, cacheRead, cacheWritten } = usage
    this.#statements.usage.run(message, session, t, input, output, cacheRead, cacheWritten)
  }

  #change(change: LoggedChange): void {
    const { id, t, session, kind, ...rest } = change
    this.#statements.change.run(id, t, session, kind, JSON.stringify(rest))
    this.#statements.said.run(session, t, id, kind === 'past' ? 1 : 0, ...saidOf(change))
  }

  #rename(from: string, to: string): void {
    if (from === to) return
    this.#statements.rename.run(to, from)
    this.#statements.leave.run(from)
  }

  #session(row: SessionRow): void {
    const { id, host, agent, state, firstAt, lastAt, open, parent, body } = row
    const json = JSON.stringify(body) ?? 'null'
    const values = [id, host, agent, state, firstAt, lastAt, open ? 1 : 0, parent ?? null, json]
    this.#statements.session.run(...values)
  }

  #cursor({ path, inode, offset }: Cursor): void {
    this.#statements.cursor.run(path, inode, offset)
  }
}

function prepare(db: DatabaseSync) {
  return {
    report: db.prepare(
      `INSERT INTO reports (id, t, source, session, key, event, body) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING`,
    ),
    change: db.prepare('INSERT INTO changes (id, t, session, kind, body) VALUES (?, ?, ?, ?, ?)'),
    said: db.prepare(
      `INSERT INTO said (session, t, id, past, state, what, since, cost)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    rename: db.prepare('UPDATE reports SET session = ? WHERE session = ?'),
    leave: db.prepare('DELETE FROM sessions WHERE id = ?'),
    session: db.prepare(
      `INSERT INTO sessions (id, host, agent, state, first_at, last_at, open, parent, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET host = excluded.host, agent = excluded.agent,
         state = excluded.state, first_at = min(first_at, excluded.first_at),
         last_at = excluded.last_at, open = excluded.open, parent = excluded.parent,
         body = excluded.body`,
    ),
    cursor: db.prepare(
      `INSERT INTO cursors (path, inode, read_to) VALUES (?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET inode = excluded.inode, read_to = excluded.read_to`,
    ),
    usage: db.prepare(
      `INSERT INTO usage (message, session, t, input, output, cache_read, cache_written)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (message) DO UPDATE SET input = max(input, excluded.input),
         output = max(output, excluded.output), cache_read = max(cache_read, excluded.cache_read),
         cache_written = max(cache_written, excluded.cache_written)`,
    ),
    forget: db.prepare('DELETE FROM cursors WHERE path = ?'),
    markClosed: db.prepare('UPDATE sessions SET open = 0 WHERE id = ?'),
    leaveFolder: db.prepare('DELETE FROM folders WHERE path = ?'),
    folder: db.prepare(
      `INSERT INTO folders (path, agent) VALUES (?, ?)
       ON CONFLICT (path) DO UPDATE SET agent = excluded.agent`,
    ),
  } satisfies Record<string, StatementSync>
}

/** SPEC IN13. State, reason, since when and cost; for a replaced name, the session it became. */
function saidOf(change: LoggedChange): (string | number | null)[] {
  if (change.kind === 'gone') return ['gone', change.became ?? null, null, null]
  const { state, for: what, since, details } = change.verdict
  return [state, what ?? null, since, details.costUsd ?? null]
}

/** Some Nodes read JSON nested deeper than they can write: one such report must block nothing. */
function bodyOf(report: Report): string {
  try {
    return JSON.stringify(report)
  } catch (error) {
    const { t, source } = report
    return JSON.stringify({ t, source, unwritable: String(error) })
  }
}

/** The hook's name of the event; empty for other sources. */
export function reportEvent(report: Report): string {
  const name = report.source === 'hook' ? agentOf(report.agent)?.eventOf?.(report) : undefined
  return name?.slice(0, EVENT_NAME_MAX) ?? ''
}

/** A name as long as a payload would make the index as large as the log. */
const EVENT_NAME_MAX = 64
