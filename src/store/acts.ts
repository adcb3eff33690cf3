import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ActRow, ChainedAct } from './chain.ts'
import type { ChainHead } from './chain-check.ts'
import { addAct, type NewAct } from './chained.ts'
import { storeError } from './errors.ts'
import { actFrom, chainedFrom, requestFrom } from './rows.ts'
import { databaseName, transact } from './transact.ts'

export interface ActFilter {
  readonly session?: string | undefined
  readonly limit: number
}

/** A page of the audit log, oldest first. */
export interface AuditFilter {
  readonly session?: string | undefined
  /** Only acts with a larger id. */
  readonly after?: number | undefined
  /** Only acts from this time on. */
  readonly since?: number | undefined
  /** The newest of them, not the oldest. */
  readonly last?: boolean | undefined
  readonly limit: number
}

/** An act may show 256 KB: a page ends before it holds much more than this. */
const PAGE_MAX_CHARS = 2_000_000

/** An agent's request, while it is open. */
export interface RequestRow {
  readonly id: string
  readonly session: string
  readonly at: number
  readonly body: unknown
}

/** The tables of acts and of open requests. */
export class ActTable {
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>
  readonly #mustBeThere: () => void

  /** `mustBeThere` throws when the file was removed: writes to it would be lost. */
  constructor(db: DatabaseSync, mustBeThere: () => void) {
    this.#db = db
    this.#mustBeThere = mustBeThere
    this.#statements = prepare(db)
  }

  /**
   * Returns its id and hash once it is in the log (SPEC AN20, AU1). It survives a power cut: the
   * next act, and copies of its hash elsewhere, depend on it.
   */
  note(act: NewAct): ChainHead {
    this.#mustBeThere()
    this.#synchronous('FULL')
    try {
      return transact(this.#db, 'could not write an act', () => {
        const { id, hash } = addAct(this.#db, act)
        return { act: id, hash }
      })
    } finally {
      this.#synchronous('NORMAL')
    }
  }

  /** The newest act. */
  last(): ChainedAct | undefined {
    return this.page({ limit: 1, last: true })[0]
  }

  hashAt(id: number): string | undefined {
    const row = this.#reading(() => this.#statements.hashAt.get(id))
    return typeof row?.hash === 'string' ? row.hash : undefined
  }

  /** SPEC AU4. Oldest first, in a page that is bounded in acts and in characters. */
  page({ session, after = 0, since, last = false, limit }: AuditFilter): ChainedAct[] {
    return this.#reading(() => {
      const from = since === undefined ? 0 : this.#firstSince(since)
      const order = last ? 'DESC' : 'ASC'
      const of = session === undefined ? '' : 'AND session = ?'
      const sql = `SELECT * FROM acts WHERE id > ? ${of} ORDER BY id ${order} LIMIT ?`
      const begin = Math.max(after, from - 1)
      const values = session === undefined ? [begin, limit] : [begin, session, limit]
      const page: ChainedAct[] = []
      let chars = 0
      for (const row of this.#db.prepare(sql).iterate(...values)) {
        const act = chainedFrom(row)
        if (!act) continue
        page.push(act)
        chars += act.words.length + (act.shown?.length ?? 0)
        if (chars > PAGE_MAX_CHARS) break
      }
      return last ? page.toReversed() : page
    })
  }

  /** Newest first, without unreadable ones. */
  list({ session, limit }: ActFilter): ActRow[] {
    const { all, ofSession } = this.#statements
    const rows = () => (session === undefined ? all.all(limit) : ofSession.all(session, limit))
    return this.#reading(() => rows().flatMap((row) => actFrom(row) ?? []))
  }

  keepRequest({ id, session, at, body }: RequestRow): void {
    transact(this.#db, 'could not write a request', () => {
      this.#statements.keep.run(id, session, at, JSON.stringify(body))
    })
  }

  forgetRequests(ids: readonly string[]): void {
    if (ids.length === 0) return
    transact(this.#db, 'could not remove a request', () => {
      for (const id of ids) this.#statements.forget.run(id)
    })
  }

  /** Oldest first. */
  requests(): RequestRow[] {
    const rows = () => this.#statements.requests.all()
    return this.#reading(() => rows().flatMap((row) => requestFrom(row) ?? []))
  }

  #firstSince(since: number): number {
    return Number(this.#statements.since.get(since)?.id ?? Number.MAX_SAFE_INTEGER)
  }

  #synchronous(how: 'FULL' | 'NORMAL'): void {
    if (this.#db.isOpen && !this.#db.isTransaction) this.#db.exec(`PRAGMA synchronous = ${how}`)
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw storeError('could not read acts', databaseName(this.#db), error)
    }
  }
}

function prepare(db: DatabaseSync) {
  const columns = 'SELECT id, at, session, what, who, place, words FROM acts'
  return {
    hashAt: db.prepare('SELECT hash FROM acts WHERE id = ?'),
    since: db.prepare('SELECT id FROM acts WHERE at >= ? ORDER BY at LIMIT 1'),
    all: db.prepare(`${columns} ORDER BY id DESC LIMIT ?`),
    ofSession: db.prepare(`${columns} WHERE session = ? ORDER BY id DESC LIMIT ?`),
    keep: db.prepare('INSERT OR REPLACE INTO requests (id, session, at, body) VALUES (?, ?, ?, ?)'),
    forget: db.prepare('DELETE FROM requests WHERE id = ?'),
    requests: db.prepare('SELECT id, session, at, body FROM requests ORDER BY at, id'),
  } satisfies Record<string, StatementSync>
}
