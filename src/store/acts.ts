import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { storeError } from './errors.ts'
import { actFrom, requestFrom } from './rows.ts'
import { nameOf, transact } from './transact.ts'

/** What somebody did to a session through vigil. */
export interface ActRow {
  readonly id: number
  readonly at: number
  readonly session: string
  readonly what: string
  readonly who: string
  /** Where it was done: on the page, in the live view. */
  readonly where: string
  readonly words: string
}

export interface ActFilter {
  readonly session?: string | undefined
  readonly limit: number
}

/** Something an agent asks, for as long as it does. */
export interface RequestRow {
  readonly id: string
  readonly session: string
  readonly at: number
  readonly body: unknown
}

/** The part of the log that holds what was done, and what could be answered. */
export class ActBook {
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#statements = prepare(db)
  }

  /** Gives it its id once it is in the log (SPEC AN20). */
  note({ at, session, what, who, where, words }: Omit<ActRow, 'id'>): number {
    return transact(this.#db, 'could not note an act', () => {
      const { lastInsertRowid } = this.#statements.note.run(at, session, what, who, where, words)
      return Number(lastInsertRowid)
    })
  }

  /** Newest first. What cannot be read any more is left out. */
  list({ session, limit }: ActFilter): ActRow[] {
    const { all, ofSession } = this.#statements
    const rows = () => (session === undefined ? all.all(limit) : ofSession.all(session, limit))
    return this.#reading(() => rows().flatMap((row) => actFrom(row) ?? []))
  }

  keepRequest({ id, session, at, body }: RequestRow): void {
    transact(this.#db, 'could not keep a request', () => {
      this.#statements.keep.run(id, session, at, JSON.stringify(body))
    })
  }

  forgetRequests(ids: readonly string[]): void {
    if (ids.length === 0) return
    transact(this.#db, 'could not forget a request', () => {
      for (const id of ids) this.#statements.forget.run(id)
    })
  }

  /** Oldest first. */
  requests(): RequestRow[] {
    const rows = () => this.#statements.requests.all()
    return this.#reading(() => rows().flatMap((row) => requestFrom(row) ?? []))
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw storeError('could not read acts', nameOf(this.#db), error)
    }
  }
}

function prepare(db: DatabaseSync) {
  const columns = 'SELECT id, at, session, what, who, place, words FROM acts'
  return {
    note: db.prepare(
      'INSERT INTO acts (at, session, what, who, place, words) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    all: db.prepare(`${columns} ORDER BY id DESC LIMIT ?`),
    ofSession: db.prepare(`${columns} WHERE session = ? ORDER BY id DESC LIMIT ?`),
    keep: db.prepare('INSERT OR REPLACE INTO requests (id, session, at, body) VALUES (?, ?, ?, ?)'),
    forget: db.prepare('DELETE FROM requests WHERE id = ?'),
    requests: db.prepare('SELECT id, session, at, body FROM requests ORDER BY at, id'),
  } satisfies Record<string, StatementSync>
}
