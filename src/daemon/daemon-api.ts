import type { Report } from '../core/signal.ts'
import type { Health } from '../protocol/daemon.ts'
import type { ListingOptions } from '../protocol/parameters.ts'
import type { Explanation, HistoryEntry, Listing, Session } from '../protocol/session.ts'
import type { Machine } from '../protocol/stream.ts'
import type { LoggedChange, LoggedReport, ReportFilter } from '../store/store.ts'
import type { Insights } from './insight/insights.ts'
import type { Loops } from './loops/shapes.ts'
import type { Panes } from './panes/shapes.ts'
import type { ActRecorder, Requests } from './requests/shapes.ts'
import type { RowChanges } from './stream/row-changes.ts'

/** Everything that callers can ask of the daemon, on any transport. */
export interface DaemonApi {
  readonly machine: string
  readonly host: string
  /** Open sessions and recently closed ones. */
  sessions(options: ListingOptions): Listing
  session(id: string): Session | undefined
  explain(id: string): Explanation | undefined
  /** Newest first. */
  history(id: string, limit: number): readonly HistoryEntry[]
  reports(filter: ReportFilter): readonly LoggedReport[]
  /** Whether a report may be posted: it starts no session, or not too many are open. */
  admits(report: Report): boolean
  /** Resolves when the report is committed. A repeated key is the same report. */
  post(report: Report, key?: string): Promise<{ readonly session: string | undefined }>
  /** Adds a recording to the log, as sessions that are not live. */
  import(name: string, lines: readonly Report[]): { readonly sessions: readonly string[] }
  health(): Health
  metrics(): string
  readonly feed: Feed
  readonly list: SessionList
  readonly insights: Pick<Insights, 'of' | 'timeline'>
  readonly loops: Loops
  readonly requests: Requests
  readonly acts: ActRecorder
  readonly panes: Panes
  /** Ends the daemon once the response is sent. */
  stop(why: string): void
}

/** All changes in order. Old ones come from the log, so a reader may stop and resume. */
export interface Feed {
  /** The oldest change still available, and the newest; 0 for none. */
  firstId(): number
  lastId(): number
  after(id: number, limit: number): readonly LoggedChange[]
  /** Called after each commit with changes; returns how to unsubscribe. */
  onChange(listener: () => void): () => void
}

/** The sessions that `sessions` lists, row by row, and which of them change. */
export interface SessionList {
  readonly changes: Pick<RowChanges, 'count' | 'positionOf' | 'since' | 'onChange'>
  ids(): Iterable<string>
  /** Undefined if the session is not in the list. */
  row(id: string): Session | undefined
  machine(): Machine
  onMachine(listener: () => void): () => void
  now(): number
}
