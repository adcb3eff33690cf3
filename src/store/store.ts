import type { DatabaseSync } from 'node:sqlite'
import type { Report, Source } from '../core/signal.ts'
import type { Verdict } from '../core/verdict.ts'
import type { Cursor } from '../sources/arrival.ts'
import { ActTable } from './acts.ts'
import { countsOf, fileMark, type StoreCounts } from './counts.ts'
import { StoreError, storeError } from './errors.ts'
import { InsightTables } from './insight.ts'
import { LoopTable } from './loops.ts'
import { Reader } from './read.ts'
import { type Pruned, type PruneOptions, Pruner } from './retention.ts'
import { Writer } from './write.ts'

/** A report as stored in the log. */
export interface LoggedReport {
  readonly id: number
  /** The session it was about when it arrived; undefined when it was about none. */
  readonly session: string | undefined
  readonly key: string | undefined
  readonly report: Report
}

export interface NewReport {
  readonly report: Report
  readonly session: string | undefined
  readonly key: string | undefined
}

/** One change sent to subscribers. Its id orders all changes and is the cursor to resume from. */
export type LoggedChange = {
  readonly id: number
  readonly t: number
  readonly session: string
} /** `past`: of an imported recording; history, and no news. */ & (
  | { readonly kind: 'verdict' | 'past'; readonly verdict: Verdict }
  /** A name used before the session's own was known: `became` is that session. */
  | { readonly kind: 'gone'; readonly became: string | undefined }
)

export type LoggedVerdict = Exclude<LoggedChange, { readonly kind: 'gone' }>

/** A session's last row. Its `body` is the API's response for one that is not live. */
export interface SessionRow {
  readonly id: string
  readonly host: string
  readonly agent: string
  readonly state: string
  /** First and newest time of a report about it. */
  readonly firstAt: number
  readonly lastAt: number
  /** Open sessions are replayed at start-up, and retention never removes them. */
  readonly open: boolean
  readonly parent: string | undefined
  readonly body: unknown
}

/** A folder of an agent's files; an entry from an old version names no agent. */
export interface AgentFolder {
  readonly agent: string
  readonly path: string
}

/** Everything one transaction writes. */
export interface Commit {
  readonly reports: readonly NewReport[]
  readonly changes: readonly LoggedChange[]
  readonly sessions: readonly SessionRow[]
  readonly cursors: readonly Cursor[]
  /** Reports logged under a stand-in's name that belong to a session (from → to). */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
}

export interface Committed {
  /** The id of each report of the commit, or undefined when its key was in the log already. */
  readonly ids: readonly (number | undefined)[]
}

export interface ReportFilter {
  readonly session?: string
  readonly source?: Source
  /** Only reports with a larger id. */
  readonly after?: number
  /** 1,000 by default. */
  readonly limit?: number
}

/**
 * The log and its projection, in one SQLite file; `openStore` creates it. A returned `commit`
 * survives `kill -9` of the process, not a power cut (synchronous=NORMAL): then the newest commits
 * may be missing, and the file is intact. Every method may throw a `StoreError`.
 */
export class Store {
  readonly path: string
  readonly loops: LoopTable
  readonly insight: InsightTables
  readonly acts: ActTable
  readonly #db: DatabaseSync
  /** Writes into a file that was unlinked are lost without an error. */
  readonly #mark: string | undefined
  readonly #reader: Reader
  readonly #writer: Writer
  readonly #pruner: Pruner

  constructor(db: DatabaseSync, path: string) {
    this.path = path
    this.#db = db
    this.#mark = fileMark(path)
    this.#reader = new Reader(db)
    this.#writer = new Writer(db)
    this.#pruner = new Pruner(db)
    this.loops = new LoopTable(db)
    this.insight = new InsightTables(db)
    this.acts = new ActTable(db, () => this.#mustBeThere())
  }

  /** All of it or nothing. A change whose id is used is an error: ids order what was sent. */
  commit(commit: Commit): Committed {
    this.#mustBeThere()
    return this.#writer.commit(commit)
  }

  /** Which of these keys are in the log already. */
  known(keys: readonly string[]): Set<string> {
    return this.#reader.known(keys)
  }

  /** In order of arrival. */
  reports(filter: ReportFilter = {}): LoggedReport[] {
    return this.#reader.reports(filter)
  }

  /** Reports of all open sessions in order of arrival, one page in memory at a time. */
  openReports(): Generator<LoggedReport> {
    return this.#reader.openReports()
  }

  changesAfter(id: number, limit: number): LoggedChange[] {
    return this.#reader.changesAfter(id, limit)
  }

  /** From this id on every change is available: a subscriber at the one before it can resume. */
  firstChangeId(): number {
    return this.#reader.firstChangeId()
  }

  /** The newest id ever used, also when its change is gone; the next one is larger. */
  lastChangeId(): number {
    return this.#reader.lastChangeId()
  }

  /** The newest verdicts of a session, newest first. */
  history(session: string, limit: number): LoggedVerdict[] {
    return this.#reader.history(session, limit)
  }

  /** Latest first. */
  sessions({ open }: { readonly open?: boolean } = {}): SessionRow[] {
    return this.#reader.sessions(open)
  }

  /** Closed sessions with reports since then. */
  closedSince(t: number): SessionRow[] {
    return this.#reader.closedSince(t)
  }

  /** These are no longer replayed, and retention may remove them. */
  markClosed(ids: readonly string[]): void {
    this.#writer.markClosed(ids)
  }

  session(id: string): SessionRow | undefined {
    return this.#reader.session(id)
  }

  cursors(): Cursor[] {
    return this.#reader.cursors()
  }

  cursor(path: string): Cursor | undefined {
    return this.#reader.cursor(path)
  }

  /** For files that are gone: retention cannot know of them. */
  forgetCursors(paths: readonly string[]): void {
    this.#writer.forgetCursors(paths)
  }

  /** The agents' homes ever seen. */
  folders(): AgentFolder[] {
    return this.#reader.folders()
  }

  /** When each agent last reported on this machine, from its sessions. */
  heardAt(host: string): Map<string, number> {
    return this.#reader.heardAt(host)
  }

  rememberFolder(folder: AgentFolder): void {
    this.#writer.rememberFolder(folder)
  }

  forgetFolder(path: string): void {
    this.#writer.forgetFolder(path)
  }

  counts(): StoreCounts {
    try {
      return countsOf(this.#db, this.path)
    } catch (error) {
      throw storeError('could not count', this.path, error)
    }
  }

  /** How often each hook event was reported since. */
  eventCounts(sinceT: number): Map<string, number> {
    return this.#reader.eventCounts(sinceT)
  }

  /** One slice of retention; call again while `more`. */
  prune(options: PruneOptions): Pruned {
    return this.#pruner.prune(options)
  }

  /**
   * Leaves one file without a write-ahead log. Closing twice is harmless. No `PRAGMA optimize`: its
   * figures from a small log make SQLite scan the large one it grows into (measured: the replay
   * would read the whole table for each page); without figures it uses the indexes.
   */
  close(): void {
    if (!this.#db.isOpen) return
    try {
      this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // A full disk: everything committed is in the write-ahead log and is found there.
    }
    this.#db.close()
  }

  #mustBeThere(): void {
    if (fileMark(this.path) !== this.#mark)
      throw new StoreError('gone', `${this.path}: was removed or replaced; start vigil again`)
  }
}
