import type { Act } from '../../protocol/act.ts'
import type { PaneInput, PromptSent, TypingView } from '../../protocol/pane.ts'
import type { Viewing } from './viewing.ts'

/** Who does something, and where. */
export interface By {
  readonly who: string
  readonly where: Act['where']
}

/** Everything that can be asked about panes. What cannot be done throws a Problem. */
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
  /** Whoever is attached to its tmux server sees its pane. */
  jump(session: string): Promise<void>
}
