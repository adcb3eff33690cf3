import type { Report } from '../core/signal.ts'
import type {
  InputLayout,
  RequestChoice,
  RequestQuestion,
  Suggestion,
} from '../protocol/request.ts'
import type { Fields } from './read.ts'

/** What is asked, with everything needed to decide. */
export interface AskedCall {
  readonly session: string
  readonly kind: 'permission' | 'question' | 'plan'
  readonly tool: string
  /** The subagent that asks; none for the agent itself. */
  readonly actor: string | null
  /** The tool's input as the agent gave it, unless that was too long. */
  readonly input: unknown
  readonly cut: boolean
  readonly questions: readonly RequestQuestion[]
  /** Markdown. */
  readonly plan: string | null
  /** What the agent would allow from then on, in its own form. */
  readonly offers: readonly unknown[]
}

/** A call in an agent's log that has no result. */
export interface PendingCall {
  readonly id: string
  readonly asked: AskedCall
}

/** What does not fit the request, and which part of the choice. */
export interface Misfit {
  readonly field: 'choice' | 'suggestion' | 'word' | 'answers'
  readonly misfit: string
}

/** Requests that can be answered from elsewhere. */
export interface Answers {
  /** None for any other report. Of any content: what is no field of the kind is not there. */
  readonly askedIn: (report: Report) => AskedCall | undefined
  /** SPEC AN10. Whether its hook says that it waits for an answer. */
  readonly waits: (report: Report) => boolean
  /** SPEC AN35. The calls at the end of a session's log that may be what it asks about. */
  readonly pendingIn?: (lines: readonly string[], session: string) => readonly PendingCall[]
  readonly suggestionsOf: (asked: Pick<AskedCall, 'offers'>) => readonly Suggestion[]
  /** What the agent's hook prints to decide so, or why the choice is none for this request. */
  readonly outputOf: (
    asked: AskedCall,
    choice: RequestChoice,
  ) => { readonly output: Fields } | Misfit
  readonly layoutOf: (tool: string, input: Fields) => InputLayout
}
