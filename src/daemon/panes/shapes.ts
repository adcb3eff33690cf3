import type { Act } from '../../protocol/act.ts'
import type { PaneInput, PromptSent, TypingView } from '../../protocol/pane.ts'
import type { Viewing } from './viewing.ts'

/** The caller of an act, and where it came from. */
export interface By {
  readonly who: string
  readonly where: Act['where']
}

/** The operations on panes. Failures throw a Problem. */
export interface Panes {
  /** What its pane shows, as it changes. */
  view(session: string, hangUp: () => void): Promise<Viewing>
  /** What its pane shows at this moment. */
  lines(session: string): Promise<readonly string[]>
  typing(session: string): TypingView
  setTyping(session: string, on: boolean, by: By): TypingView
  keys(session: string, typed: readonly PaneInput[], by: By): Promise<void>
  prompt(session: string, text: string, by: By): Promise<PromptSent>
  interrupt(session: string, by: By): Promise<void>
  /** Shows its pane to the terminals attached to its tmux server. */
  jump(session: string): Promise<void>
}
