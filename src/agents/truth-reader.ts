import type { WaitingFor } from '../core/signal.ts'

/** A line of a recording: a report, or what the recorder noted beside them. */
export interface RecordedLine {
  readonly t: number
  readonly source: string
  readonly [field: string]: unknown
}

/** What was true from `t` on, in the four words a client has for it, and `error`, `closed`. */
export interface Truth {
  readonly t: number
  readonly state: 'working' | 'waiting' | 'idle' | 'error' | 'closed'
  readonly for?: WaitingFor
}

/** How right vigil is about a recording is measured by what the agent itself said. */
export interface TruthReader {
  readonly truthOf: (lines: readonly RecordedLine[]) => readonly Truth[]
  /** The process and the session that a line names. */
  readonly names: (line: RecordedLine) => { readonly pid: unknown; readonly session: unknown }
}
