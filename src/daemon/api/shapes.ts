import type { Report, Source } from '../../core/signal.ts'
import type { Verdict } from '../../core/verdict.ts'

/** What goes over the wire where the daemon's own shapes have gaps: what is not known is null. */

export interface ReportEntry {
  readonly id: number
  readonly session: string | null
  readonly key: string | null
  readonly report: Report
}

export interface ReportPage {
  /** Oldest first. */
  readonly reports: readonly ReportEntry[]
  /** Ask again with this as `after`; null when there were no more. */
  readonly next: number | null
}

export interface ReportQuery {
  readonly after?: number
  readonly limit?: number
  readonly source?: Source
}

/** A report by another tool. Without a time it is of the moment it arrives. */
export interface Posting {
  readonly report: {
    readonly source: Source
    readonly t?: number
    readonly [field: string]: unknown
  }
  /** The same key again is the same report. */
  readonly key?: string
}

export interface Posted {
  /** For each report the session it was about; null when it was about nobody. */
  readonly sessions: readonly (string | null)[]
}

/** What `vigil open` makes an address of. */
export interface BrowserCode {
  readonly code: string
  readonly endsAt: number
  /** The page's, and the only one that the code is good for. */
  readonly address: string | null
  /** Sends a browser to the address with the code, if that was asked for. */
  readonly file: string | null
  readonly page: boolean
}

export type Change =
  | {
      readonly kind: 'verdict'
      readonly id: number
      readonly t: number
      readonly session: string
      readonly verdict: Verdict
    }
  | {
      readonly kind: 'gone'
      readonly id: number
      readonly t: number
      readonly session: string
      readonly became: string | null
    }
