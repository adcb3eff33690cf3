import type { Act, AuditedAct } from '../../protocol/act.ts'
import type { OpenRequest, RequestAnswer, RequestOutcome } from '../../protocol/request.ts'
import type { Spooled } from '../../sources/arrival.ts'
import type { ActFilter, AuditFilter } from '../../store/acts.ts'

/** What is noted before it is done. */
export type NewDeed = Omit<Act, 'id' | 'at'> & {
  /** What was shown when it was decided: kept with the act, whole up to 256 KB. */
  readonly shown?: unknown
}

/** Everything that can be asked about requests. */
export interface Requests {
  list(filter?: { readonly session?: string | undefined }): readonly OpenRequest[]
  find(id: string): OpenRequest | undefined
  /**
   * The first answer to a request counts; throws a `Problem`. One that is typed into a pane is
   * given when its promise is kept.
   */
  answer(id: string, answer: RequestAnswer, who: string): Promise<void> | undefined
  /** Asked by a hook that was told so, by name and digest of the report it left. */
  outcome(report: Spooled): RequestOutcome
  /** Ids of the requests of a session that can be answered from here. */
  asksOf(session: string): readonly string[]
  /** Called with the session whenever `asksOf` gives something else for it. */
  onAsks(listener: (session: string) => void): () => void
}

/** What somebody did, for ever. */
export interface ActRecorder {
  /** Throws when the log does not take it: then it must not be done. */
  note(deed: NewDeed): Act
  /** Newest first. */
  list(filter: ActFilter): readonly Act[]
  /** A page of the audit log, oldest first. */
  audit(filter: AuditFilter): readonly AuditedAct[]
}
