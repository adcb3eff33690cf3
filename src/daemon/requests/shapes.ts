import type { Choice, Output } from '../../agents/claude/answer.ts'
import type { Suggestion } from '../../agents/claude/answer-offers.ts'
import type { Question } from '../../agents/claude/answer-request.ts'
import type { CallLine } from '../../agents/claude/talk.ts'

export type { Question } from '../../agents/claude/answer-request.ts'

/** What an agent asks its user, with everything needed to decide. */
export interface OpenRequest {
  /** Names this very request: another dialog, though about the same, has another. */
  readonly id: string
  readonly session: string
  readonly kind: 'permission' | 'question' | 'plan'
  readonly tool: string
  /** The subagent that asks; none for the agent itself. */
  readonly actor: string | null
  readonly at: number
  /** The tool's input as the client gave it, unless that was too long. */
  readonly input: unknown
  readonly cut: boolean
  /** The same for people to read. */
  readonly lines: readonly CallLine[]
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
}

export const DEEDS = ['answer', 'typing', 'keys', 'prompt', 'interrupt', 'loop'] as const

/** What somebody did to a session through vigil; never changed. */
export interface Act {
  readonly id: number
  readonly at: number
  readonly session: string
  readonly what: (typeof DEEDS)[number]
  readonly who: string
  /** `daemon` for what followed by itself: typing ends with its session. */
  readonly where: Where | 'daemon'
  /** In words: `allowed Bash`, `12 keys`. */
  readonly words: string
}

/** The open requests of a session that can be answered from here. */
export interface Asks {
  readonly session: string
  readonly asks: readonly string[]
}

/** What a hook that waits is told: to print this, to leave it to the terminal, or to ask again. */
export type Told =
  | { readonly act: 'decide'; readonly output: Output }
  | { readonly act: 'nothing' }
  | { readonly act: 'again' }

/** Everything that can be asked about requests. */
export interface Requests {
  list(filter?: { readonly session?: string | undefined }): readonly OpenRequest[]
  find(id: string): OpenRequest | undefined
  /** The first answer to a request counts; throws a `RequestProblem`. */
  answer(id: string, answer: Answer, who: string): void
  /** Asked by a hook, by the name of the report it left; waits for the answer. */
  wait(report: string, gone: AbortSignal): Promise<Told>
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
  note(act: Omit<Act, 'id' | 'at'>): Act
  /** Newest first. */
  list(filter: { readonly session?: string | undefined; readonly limit: number }): readonly Act[]
}
