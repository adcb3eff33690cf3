import type { WaitingFor } from '../core/signal.ts'

/** A line of a recording: a report, or a note of the recorder. */
export interface RecordedLine {
  readonly t: number
  readonly source: string
  readonly [field: string]: unknown
}

/** What was true from `t` on, in the client's own four words, and `error`, `closed`. */
export interface Truth {
  readonly t: number
  readonly state: 'starting' | 'working' | 'waiting' | 'idle' | 'error' | 'closed'
  readonly for?: WaitingFor
}

/** Accuracy on a recording is measured against what the agent itself reported. */
export interface TruthReader {
  /** A line that the recorder notes under another name, as a report; none where it is none. */
  readonly reportIn?: (line: RecordedLine) => RecordedLine | undefined
  readonly truthOf: (lines: readonly RecordedLine[]) => readonly Truth[]
  /** The process and the session that a line names. */
  readonly names: (line: RecordedLine) => { readonly pid: unknown; readonly session: unknown }
}
