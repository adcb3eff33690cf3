import type { Act, AuditedAct } from '../../protocol/act.ts'
import type { OpenRequest, RequestAnswer, RequestOutcome } from '../../protocol/request.ts'
import type { Spooled } from '../../sources/arrival.ts'
import type { ActFilter, AuditFilter } from '../../store/acts.ts'

/** An act to log before it is done. */
export type ActEntry = Omit<Act, 'id' | 'at'> & {
  /** What was shown when it was decided: stored with the act, in full up to 256 KB. */
  readonly shown?: unknown
}

/** The operations on requests. */
export interface Requests {
  list(filter?: { readonly session?: string | undefined }): readonly OpenRequest[]
  find(id: string): OpenRequest | undefined
  /**
   * The first answer to a request counts; throws a `Problem`. An answer that is typed into a pane
   * is given when the promise resolves.
   */
  answer(id: string, answer: RequestAnswer, who: string): Promise<void> | undefined
  /** For a hook that was asked to fetch, by name and digest of the report it left. */
  outcome(report: Spooled): RequestOutcome
  /** Ids of the requests of a session that can be answered through vigil. */
  asksOf(session: string): readonly string[]
  /** Called with the session whenever the result of `asksOf` changes for it. */
  onAsks(listener: (session: string) => void): () => void
}

/** What users did, permanently. */
export interface ActRecorder {
  /** Throws when the log cannot be written: then the act must not be done. */
  note(entry: ActEntry): Act
  /** Newest first. */
  list(filter: ActFilter): readonly Act[]
  /** A page of the audit log, oldest first. */
  audit(filter: AuditFilter): readonly AuditedAct[]
}
