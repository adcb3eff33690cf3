import type { Report } from '../core/signal.ts'

/** How far a file was read: committed with the reports read from it, so none is read twice. */
export interface Cursor {
  readonly path: string
  /** Another file under the same name is read from its beginning. */
  readonly inode: string
  /** Just after the last line that was read. */
  readonly offset: number
}

/** A report on its way to the log. */
export interface Arrival {
  readonly report: Report
  /** Identifies the report permanently: a repeated key is the same report, and is not counted. */
  readonly key?: string
  readonly cursor?: Cursor
  readonly spooled?: Spooled
}

/** SPEC BR1. For a report that a hook left in the spool: its hook asks about it by this. */
export interface Spooled {
  /** The file's name. */
  readonly name: string
  /** SHA-256 of the payload's bytes as in the file, in hex. */
  readonly digest: string
}

/**
 * Adds a batch to one transaction; `saved` is called when it is committed, and only then. `learnt`
 * is called when it was judged, also while the log cannot be written: a source that then continues
 * with its next batch keeps the state up to date.
 */
export type Sink = (arrivals: readonly Arrival[], saved?: () => void, learnt?: () => void) => void

export interface Watcher {
  start(): void | Promise<void>
  stop(): void | Promise<void>
}

/** Reports what a source found and could not use: logged and counted, never thrown. */
export type Complain = (what: string, about: Readonly<Record<string, unknown>>) => void
