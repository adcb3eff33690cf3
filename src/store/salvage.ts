import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { noteRebuild } from './chained.ts'
import { raiseMark } from './marks.ts'
import { SAID_FROM_CHANGES } from './migrations/004-insight.ts'
import { newestFirst, readable } from './readable.ts'
import {
  chainedFrom,
  changeFrom,
  cursorFrom,
  loopFrom,
  type Row,
  reportFrom,
  requestFrom,
  sessionFrom,
} from './rows.ts'
import { transact } from './transact.ts'
import { reportEvent } from './write.ts'

export interface Salvaged {
  readonly reports: number
  readonly changes: number
  readonly sessions: number
}

/** More would delay the daemon's start for too long; the old file stays. */
const SALVAGE_REPORTS_MAX = 200_000
const SALVAGE_CHANGES_MAX = 50_000
const SALVAGE_MAX_MS = 10_000

/** Between two commits, so that a full disk retains what fitted. */
const BATCH_ROWS = 1_000

/** Copies the readable part of a damaged or newer log, the newest first (SPEC D6). Never throws. */
export function salvage(path: string, into: DatabaseSync, file: boolean, now: number): Salvaged {
  const saved = { reports: 0, changes: 0, sessions: 0 }
  if (!file) return saved
  const until = performance.now() + SALVAGE_MAX_MS
  let from: DatabaseSync | undefined
  try {
    from = openDamaged(path)
    saved.sessions = copy(into, SESSIONS, readable(from, 'sessions'), until)
    copy(into, FOLDERS, readable(from, 'folders'), until)
    copy(into, CURSORS, readable(from, 'cursors'), until)
    copy(into, LOOPS, readable(from, 'loops'), until)
    copy(into, STEPS, readable(from, 'loop_steps'), until)
    const acts = copy(into, ACTS, readable(from, 'acts'), until)
    transact(into, 'could not save what is readable', () => noteRebuild(into, now, acts))
    copy(into, REQUESTS, readable(from, 'requests'), until)
    copy(into, USAGE, readable(from, 'usage'), until)
    copy(into, ABSENCES, readable(from, 'absences'), until)
    saved.changes = copy(into, CHANGES, newestFirst(from, 'changes', SALVAGE_CHANGES_MAX), until)
    raiseChangeMark(into)
    transact(into, 'could not save what is readable', () => into.exec(SAID_FROM_CHANGES))
    saved.reports = copy(into, REPORTS, newestFirst(from, 'reports', SALVAGE_REPORTS_MAX), until)
  } catch {
    // Nothing more can be read or written: what was copied stays.
  } finally {
    if (from?.isOpen) from.close()
  }
  return saved
}

/** Read-only, so that it stays unchanged; a truncated one opens only with this pragma. */
function openDamaged(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, defensive: false })
  db.exec('PRAGMA writable_schema = ON')
  return db
}

interface Copy {
  readonly sql: string
  /** Undefined when vigil did not write the row. */
  readonly values: (row: Row) => (string | number | null)[] | undefined
}

const REPORTS: Copy = {
  sql: `INSERT OR IGNORE INTO reports (id, t, source, session, key, event, body)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
  values: (row) => {
    const logged = reportFrom(row)
    if (!logged) return undefined
    const { id, report, session, key } = logged
    const body = String(row.body)
    return [id, report.t, report.source, session ?? null, key ?? null, reportEvent(report), body]
  },
}

const CHANGES: Copy = {
  sql: 'INSERT OR IGNORE INTO changes (id, t, session, kind, body) VALUES (?, ?, ?, ?, ?)',
  values: (row) => {
    const change = changeFrom(row)
    return change && [change.id, change.t, change.session, change.kind, String(row.body)]
  },
}

const SESSIONS: Copy = {
  sql: `INSERT OR IGNORE INTO sessions
          (id, host, agent, state, first_at, last_at, open, parent, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  values: (row) => {
    const session = sessionFrom(row)
    if (!session) return undefined
    const { id, host, agent, state, firstAt, lastAt, open, parent, body } = session
    const json = JSON.stringify(body)
    return [id, host, agent, state, firstAt, lastAt, open ? 1 : 0, parent ?? null, json]
  },
}

const CURSORS: Copy = {
  sql: 'INSERT OR IGNORE INTO cursors (path, inode, read_to) VALUES (?, ?, ?)',
  values: (row) => {
    const cursor = cursorFrom(row)
    return cursor && [cursor.path, cursor.inode, cursor.offset]
  },
}

const FOLDERS: Copy = {
  sql: 'INSERT OR IGNORE INTO folders (path, agent) VALUES (?, ?)',
  values: ({ path, agent }) =>
    typeof path === 'string' ? [path, typeof agent === 'string' ? agent : ''] : undefined,
}

const LOOPS: Copy = {
  sql: 'INSERT OR IGNORE INTO loops (id, session, open, updated_at, body) VALUES (?, ?, ?, ?, ?)',
  values: (row) => {
    const loop = loopFrom(row)
    if (!loop) return undefined
    const { id, session, open, updatedAt, body } = loop
    return [id, session, open ? 1 : 0, updatedAt, JSON.stringify(body ?? null)]
  },
}

const STEPS: Copy = {
  sql: 'INSERT OR IGNORE INTO loop_steps (id, loop, body) VALUES (?, ?, ?)',
  values: ({ id, loop, body }) =>
    typeof id === 'number' && typeof loop === 'string' && typeof body === 'string'
      ? [id, loop, body]
      : undefined,
}

const ACTS: Copy = {
  sql: `INSERT OR IGNORE INTO acts
          (id, at, session, what, who, place, words, shown, digest, previous, hash)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  values: (row) => {
    // A schema without a chain has no hashes.
    const act = chainedFrom({ previous: '', hash: '', ...row })
    if (!act) return undefined
    const { id, at, session, what, who, where, words, shown, digest, previous, hash } = act
    return [id, at, session, what, who, where, words, shown, digest, previous, hash]
  },
}

const REQUESTS: Copy = {
  sql: 'INSERT OR IGNORE INTO requests (id, session, at, body) VALUES (?, ?, ?, ?)',
  values: (row) => {
    const request = requestFrom(row)
    return request && [request.id, request.session, request.at, String(row.body)]
  },
}

const USAGE: Copy = {
  sql: `INSERT OR IGNORE INTO usage
          (message, session, t, input, output, cache_read, cache_written)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
  values: ({ message, session, t, input, output, cache_read: read, cache_written: written }) => {
    const counts = [t, input, output, read, written]
    if (typeof message !== 'string' || typeof session !== 'string') return undefined
    return counts.every((count) => typeof count === 'number')
      ? [message, session, ...counts]
      : undefined
  },
}

const ABSENCES: Copy = {
  sql: 'INSERT OR IGNORE INTO absences (until, since) VALUES (?, ?)',
  values: ({ until, since }) =>
    typeof until === 'number' && typeof since === 'number' ? [until, since] : undefined,
}

/** Returns how many rows were copied. */
function copy(into: DatabaseSync, { sql, values }: Copy, rows: Iterable<Row>, until: number) {
  const insert = into.prepare(sql)
  let copied = 0
  let batch: Row[] = []
  const flush = () => {
    copied += transact(into, 'could not save what is readable', () =>
      inserted(insert, batch.map(values)),
    )
    batch = []
  }
  for (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    flush()
    if (performance.now() > until) break
  }
  flush()
  return copied
}

function inserted(
  insert: StatementSync,
  rows: readonly ((string | number | null)[] | undefined)[],
): number {
  return rows.reduce((sum, row) => sum + (row ? Number(insert.run(...row).changes) : 0), 0)
}

/** Ids continue beyond those already used: a subscriber must not mistake old ones for new. */
function raiseChangeMark(db: DatabaseSync): void {
  const newest = db.prepare('SELECT max(id) AS id FROM changes').get()?.id
  if (typeof newest === 'number') raiseMark(db, 'changes-gone', newest)
}
