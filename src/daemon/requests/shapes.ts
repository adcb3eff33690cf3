import type { Choice, Output } from '../../agents/claude/answer.ts'
import type { Suggestion } from '../../agents/claude/answer-offers.ts'
import type { Question } from '../../agents/claude/answer-request.ts'
import type { Spooled } from '../../sources/arrival.ts'
import type { ActFilter, AuditFilter } from '../../store/acts.ts'

export type { Question } from '../../agents/claude/answer-request.ts'

/** What an agent asks its user, with everything needed to decide. */
export interface OpenRequest {
  /** Names this very request: another dialog, though about the same, has another. */
  readonly id: string
  readonly session: string
  /** SHA-256 of the payload its hook left, in hex: an answer gives it back as what was shown. */
  readonly digest: string
  readonly kind: 'permission' | 'question' | 'plan'
  readonly tool: string
  /** The subagent that asks; none for the agent itself. */
  readonly actor: string | null
  readonly at: number
  /** The tool's input as the client gave it, unless that was too long. */
  readonly input: unknown
  readonly cut: boolean
  readonly questions: readonly Question[]
  /** Markdown. */
  readonly plan: string | null
  /** The client's own, in words. */
  readonly suggestions: readonly Suggestion[]
  /** A hook waits for the answer. */
  readonly answerable: boolean
  /** Why it cannot be answered from here. */
  readonly why: string | null
}

export const PLACES = ['page', 'live', 'cli', 'notification'] as const

/** Where an answer was given. */
type Where = (typeof PLACES)[number]

export interface Answer extends Choice {
  readonly where: Where
  /** The digest of the request that was shown; whoever allows or answers has to give it. */
  readonly shown?: string | undefined
}

/** `chain` and `gap` are the audit log's own: its beginnings, and what it misses. */
export const DEEDS = [
  ...['answer', 'typing', 'keys', 'prompt', 'interrupt', 'loop'],
  ...['settings', 'sign-in', 'sign-out', 'stop'],
  ...['chain', 'gap'],
] as const satisfies readonly string[]

/** What somebody did through vigil; never changed. */
export interface Act {
  readonly id: number
  readonly at: number
  /** Empty for what was done to no session: a sign-in, a setting. */
  readonly session: string
  readonly what: (typeof DEEDS)[number]
  readonly who: string
  /** `daemon` for what followed by itself: typing ends with its session; `api` for a program. */
  readonly where: Where | 'daemon' | 'api'
  /** In words: `allowed Bash`, `12 keys`. */
  readonly words: string
}

/** What is noted before it is done. */
export type NewDeed = Omit<Act, 'id' | 'at'> & {
  /** What was shown when it was decided: kept with the act, whole up to 256 KB. */
  readonly shown?: unknown
}

/** An act as the audit log has it. */
export interface AuditedAct extends Act {
  /** Canonical JSON of what was shown; cut after 256 KB. */
  readonly shown: string | null
  /** SHA-256 of the whole of it. */
  readonly digest: string | null
  readonly previous: string
  readonly hash: string
}

/** The open requests of a session that can be answered from here. */
export interface Asks {
  readonly session: string
  readonly asks: readonly string[]
}

/** What a hook that waits is told: to print this, to leave it to the terminal, or to ask again. */
export type Told =
  | { readonly act: 'decide'; readonly output: Output; readonly digest: string }
  | { readonly act: 'nothing' }
  | { readonly act: 'again' }

/** Everything that can be asked about requests. */
export interface Requests {
  list(filter?: { readonly session?: string | undefined }): readonly OpenRequest[]
  find(id: string): OpenRequest | undefined
  /** The first answer to a request counts; throws a `RequestProblem`. */
  answer(id: string, answer: Answer, who: string): void
  /** Asked by a hook, by name and digest of the report it left; waits for the answer. */
  wait(report: Spooled, gone: AbortSignal): Promise<Told>
  /** Ids of the requests of a session that can be answered from here. */
  asksOf(session: string): readonly string[]
  /** Every session that asks, and those that did a moment ago: where who listens begins. */
  asks(): readonly Asks[]
  onAsks(listener: (asks: Asks) => void): () => void
  /** Somebody is there who could answer, until the returned is called. */
  enter(): () => void
}

/** What somebody did, for ever. */
export interface Acts {
  /** Throws when the log does not take it: then it must not be done. */
  note(deed: NewDeed): Act
  /** Newest first. */
  list(filter: ActFilter): readonly Act[]
  /** A page of the audit log, oldest first. */
  audit(filter: AuditFilter): readonly AuditedAct[]
}
