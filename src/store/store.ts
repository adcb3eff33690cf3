import type { Report, Source } from '../core/signal.ts'
import type { Verdict } from '../core/verdict.ts'
import type { Cursor } from '../sources/arrival.ts'

/** A report as the log keeps it. */
export interface LoggedReport {
  readonly id: number
  /** The session it was about when it was taken; none when it was about nobody. */
  readonly session: string | undefined
  readonly key: string | undefined
  readonly report: Report
}

export interface NewReport {
  readonly report: Report
  readonly session: string | undefined
  readonly key: string | undefined
}

/** One change a subscriber is told of. Its id orders all changes and names where to resume. */
export type LoggedChange = { readonly id: number; readonly t: number; readonly session: string } & (
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** A name that was used before the session's own was known: `became` is that session. */
  | { readonly kind: 'gone'; readonly became: string | undefined }
)

/** A session as it was last shown. Its `body` is what the API gives for one that is not live. */
export interface SessionRow {
  readonly id: string
  readonly host: string
  readonly agent: string
  readonly state: string
  /** First and newest time anything was written about it. */
  readonly firstAt: number
  readonly lastAt: number
  /** Open sessions are replayed at start-up and never touched by retention. */
  readonly open: boolean
  readonly parent: string | undefined
  readonly body: unknown
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

export interface ReportFilter {
  readonly session?: string
  readonly source?: Source
  /** Only reports with a larger id. */
  readonly after?: number
  readonly limit?: number
}
