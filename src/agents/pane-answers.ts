import type { RequestChoice } from '../protocol/request.ts'
import type { AskedCall } from './answers.ts'

/** The keys that give an answer, by tmux's names, or why there are none. */
export type AnswerKeys = { readonly keys: readonly string[] } | { readonly why: string }

/** Requests that can be answered by keys, in the dialog on the agent's own screen. */
export interface PaneAnswers {
  /**
   * SPEC AN33. The keys for a choice where the screen shows the whole dialog of exactly this
   * request; without a choice none. A screen of any content gives keys or a reason, never an error.
   */
  readonly keysFor: (
    asked: AskedCall,
    screen: string,
    choice: RequestChoice | undefined,
  ) => AnswerKeys
}
