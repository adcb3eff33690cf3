import type { Report } from '../core/signal.ts'
import type { RemoteMachine } from '../fleet/remote-shapes.ts'
import type { Right } from '../protocol/constants.ts'
import type { Health } from '../protocol/daemon.ts'
import type {
  FleetInvite,
  FleetInvited,
  FleetJoin,
  FleetJoined,
  FleetPermissions,
  FleetServe,
  FleetServed,
  FleetView,
} from '../protocol/fleet.ts'
import type { ListingOptions } from '../protocol/parameters.ts'
import type { Explanation, HistoryEntry, Listing, Session } from '../protocol/session.ts'
import type { Machine } from '../protocol/stream.ts'
import type { LoggedChange, LoggedReport, ReportFilter } from '../store/store.ts'
import type { ForwardedRequest } from './api/elsewhere.ts'
import type { ApiResponse } from './api/route.ts'
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
  readonly fleet: Fleet
  /** Ends the daemon once the response is sent. */
  stop(why: string): void
}

/** The other machines, where this one belongs to a fleet. */
export interface Fleet {
  /** Newest rows of sessions on other machines. */
  rows(): readonly Session[]
  /** Whether requests can be forwarded to this machine. */
  knows(machine: string): boolean
  /** How far that machine's clock is ahead of this one. */
  aheadMs(machine: string): number
  /** Asks another machine. Throws a `Problem` that says what is known of the request. */
  forward(request: ForwardedRequest, signal: AbortSignal): Promise<ApiResponse>
  machines(): readonly RemoteMachine[]
  view(): FleetView
  /** What a machine's user on a server of one's own must be allowed. */
  permissions(machine?: string): Promise<FleetPermissions>
  serve(wanted: FleetServe): Promise<FleetServed>
  invite(wanted: FleetInvite): Promise<FleetInvited>
  join(wanted: FleetJoin): Promise<FleetJoined>
  allow(machine: string, right: Right): void
  /** `by`: another machine asked for it. */
  remove(machine: string, by?: string): Promise<void>
  leave(): Promise<void>
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
  /** This machine, then the others of its fleet. */
  machines(): readonly Machine[]
  onMachine(listener: () => void): () => void
  now(): number
}
