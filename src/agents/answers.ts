import type { Report } from '../core/signal.ts'
import type {
  InputLayout,
  RequestChoice,
  RequestQuestion,
  Suggestion,
} from '../protocol/request.ts'
import { type Fields, fields, list, textIn } from './read.ts'

/** A request, with everything needed to decide it. */
export interface AskedCall {
  readonly session: string
  readonly kind: 'permission' | 'question' | 'plan'
  readonly tool: string
  /** The subagent that asks; null for the main agent. */
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

/** Requests that can be answered outside the agent's own dialog. */
export interface Answers {
  /**
   * Undefined for any other report. Accepts any content: a field of the wrong type counts as
   * absent.
   */
  readonly askedIn: (report: Report) => AskedCall | undefined
  /** SPEC AN10. Whether the report's hook waits for an answer. */
  readonly waits: (report: Report) => boolean
  /** SPEC AN35. The calls at the end of a session's log that the request may be about. */
  readonly pendingIn?: (lines: readonly string[], session: string) => readonly PendingCall[]
  readonly suggestionsOf: (
    asked: Pick<AskedCall, 'kind' | 'tool' | 'offers'>,
  ) => readonly Suggestion[]
  /** What the agent's hook prints for this decision, or why the choice does not fit the request. */
  readonly outputOf: (
    asked: AskedCall,
    choice: RequestChoice,
  ) => { readonly output: Fields } | Misfit
  readonly layoutOf: (tool: string, input: Fields) => InputLayout
}

/** A question with its options; none if it has no text. A field of the wrong type is absent. */
export function questionIn(asked: Fields, several = false): readonly RequestQuestion[] {
  const question = textIn(asked.question)
  if (question === undefined) return []
  const options = list(asked.options)
    .map(fields)
    .flatMap(({ label, description }) => {
      const name = textIn(label)
      return name === undefined ? [] : [{ label: name, description: textIn(description) ?? null }]
    })
  return [{ question, header: textIn(asked.header) ?? null, several, options }]
}
