import type { CallLine } from '../../agents/claude/talk.ts'

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

export interface Question {
  readonly question: string
  readonly header: string | null
  readonly several: boolean
  readonly options: readonly { readonly label: string; readonly description: string | null }[]
}

export interface Suggestion {
  readonly index: number
  readonly words: string
}

/** Where an answer was given. */
export type Where = 'page' | 'live' | 'cli' | 'notification'

export interface Answer {
  readonly choice: 'allow' | 'deny' | 'answer'
  /** With `allow`: one of the client's own suggestions, by its index. */
  readonly suggestion?: number
  /** With `deny`: what the agent is told. */
  readonly word?: string
  /** With `answer`: by question, a label, several, or words of one's own. */
  readonly answers?: Readonly<Record<string, string | readonly string[]>>
  readonly where: Where
}

/** What somebody did to a session through vigil; never changed. */
export interface Act {
  readonly id: number
  readonly at: number
  readonly session: string
  readonly what: 'answer' | 'typing' | 'keys' | 'prompt' | 'interrupt' | 'loop'
  readonly who: string
  readonly where: Where
  /** In words: `allowed Bash`, `12 keys`. */
  readonly words: string
}
