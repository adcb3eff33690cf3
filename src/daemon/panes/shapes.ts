import type { Act } from '../requests/shapes.ts'
import type { Viewing } from './viewing.ts'

/** Whether its user has allowed that a session is typed into from here. */
export interface TypingView {
  readonly session: string
  readonly on: boolean
  readonly since: number | null
  /** Who turned it on. */
  readonly by: string | null
}

/** Who does something, and where. */
export interface By {
  readonly who: string
  readonly where: Act['where']
}

/** Keys that have a name, as tmux calls them; those with Ctrl are besides: `C-c`. */
export const KEY_NAMES = [
  ...['Enter', 'Escape', 'Tab', 'BTab', 'BSpace', 'DC', 'Space'],
  ...['Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PPage', 'NPage'],
  ...['M-Enter', 'M-Left', 'M-Right', 'M-BSpace'],
  ...['C-Up', 'C-Down', 'C-Left', 'C-Right'],
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `C-${letter}`),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `M-${letter}`),
] as const

/** What is typed: letters, a key, or a text as if pasted. */
export type Typed =
  | { readonly text: string }
  | { readonly key: string }
  | { readonly paste: string }

/** Everything that can be asked about panes. What cannot be done throws a PaneProblem. */
export interface Panes {
  /** What its pane shows, as it changes. */
  view(session: string, hangUp: () => void): Promise<Viewing>
  typing(session: string): TypingView
  setTyping(session: string, on: boolean, by: By): TypingView
  keys(session: string, typed: readonly Typed[], by: By): Promise<void>
  prompt(session: string, text: string, by: By): Promise<void>
  interrupt(session: string, by: By): Promise<void>
  /** Whoever is attached to its tmux server sees its pane. */
  jump(session: string): Promise<void>
}
