import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { storeError } from './errors.ts'
import { loopFrom, type Row, stepFrom } from './rows.ts'
import { databaseName, transact } from './transact.ts'

export interface LoopRow {
  readonly id: string
  readonly session: string
  /** Open ones are loaded at start-up, and retention never removes them. */
  readonly open: boolean
  readonly updatedAt: number
  readonly body: unknown
}

/** The tables of loops. Unreadable rows are left out. */
export class LoopTable {
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#statements = prepare(db)
  }

  /** Writes the loop and its steps, both or neither (SPEC LP70). */
  save({ id, session, open, updatedAt, body }: LoopRow, steps: readonly object[]): void {
    const json = JSON.stringify(body)
    const written = steps.map((step) => JSON.stringify(step))
    transact(this.#db, 'could not save a loop', () => {
      this.#statements.loop.run(id, session, open ? 1 : 0, updatedAt, json)
      for (const step of written) this.#statements.step.run(id, step)
    })
  }

  open(): LoopRow[] {
    return this.#reading(() => this.#statements.open.all().flatMap((row) => loopFrom(row) ?? []))
  }

  /** Latest first. */
  list(limit: number): LoopRow[] {
    const rows = () => this.#statements.list.all(limit)
    return this.#reading(() => rows().flatMap((row) => loopFrom(row) ?? []))
  }

  get(id: string): LoopRow | undefined {
    const row = () => this.#statements.byId.get(id)
    return this.#reading(() => loopFrom(row() ?? NO_ROW))
  }

  /** The newest, oldest first. */
  steps(loop: string, limit: number): Record<string, unknown>[] {
    const newest = this.#reading(() => this.#statements.steps.all(loop, limit))
    return newest
      .toReversed()
      .map(stepFrom)
      .filter((step) => step !== undefined)
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw storeError('could not read loops', databaseName(this.#db), error)
    }
  }
}

const NO_ROW: Row = {}

function prepare(db: DatabaseSync) {
  const columns = 'SELECT id, session, open, updated_at, body FROM loops'
  return {
    loop: db.prepare(
      `INSERT INTO loops (id, session, open, updated_at, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET session = excluded.session, open = excluded.open,
         updated_at = excluded.updated_at, body = excluded.body`,
    ),
    step: db.prepare('INSERT INTO loop_steps (loop, body) VALUES (?, ?)'),
    open: db.prepare(`${columns} WHERE open = 1 ORDER BY id`),
    list: db.prepare(`${columns} ORDER BY updated_at DESC, id LIMIT ?`),
    byId: db.prepare(`${columns} WHERE id = ?`),
    steps: db.prepare('SELECT body FROM loop_steps WHERE loop = ? ORDER BY id DESC LIMIT ?'),
  } satisfies Record<string, StatementSync>
}
