import type { Report } from '../core/signal.ts'

/** How far a file was read: committed with the reports read from it, so none is read twice. */
export interface Cursor {
  readonly path: string
  /** Another file under the same name is read from its beginning. */
  readonly inode: string
  /** Just behind the last line that was taken. */
  readonly offset: number
}

/** A report on its way to the log. */
export interface Arrival {
  readonly report: Report
  /** Names the report for ever: the same key again is the same report, and is not counted. */
  readonly key?: string
  readonly cursor?: Cursor
  readonly spooled?: Spooled
}

/** SPEC BR1. Of a report that a hook left in the spool: by this its hook can ask about it. */
export interface Spooled {
  /** The file's name. */
  readonly name: string
  /** SHA-256 of the payload's bytes as they stood in the file, in hex. */
  readonly digest: string
}

/**
 * Takes a batch into one transaction; `saved` is called when it is committed, and only then.
 * `learnt` is called when it was judged, also while the log cannot be written: who goes on with the
 * next batch then keeps the truth flowing.
 */
export type Sink = (arrivals: readonly Arrival[], saved?: () => void, learnt?: () => void) => void

export interface Watcher {
  start(): void | Promise<void>
  stop(): void | Promise<void>
}

/** For what a source met and could not use: said in the log and counted, never thrown. */
export type Complain = (what: string, about: Readonly<Record<string, unknown>>) => void
