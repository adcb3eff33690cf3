import type { OpenRequest, RequestAnswer } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { type Board, type BoardEvent, emptyBoard } from '../../view/board/board.ts'

/** The state of the live view. What it shows follows from this alone. */
export interface TerminalState extends Board {
  readonly columns: number
  readonly rows: number
  /** The first visible row of the list. */
  readonly top: number
  readonly shows: 'sessions' | 'request' | 'why' | 'pane' | 'help'
  /** What a session's pane showed when it was last loaded. */
  readonly pane: PaneLook | null
  /** Lines of a long text that are above the window. */
  readonly scroll: number
  /** Keys go into the filter. */
  readonly typing: boolean
  /** SPEC SH8. How much of the request has been visible. */
  readonly read: ReadPosition | null
  /** The answer that the user composes: keys go there. */
  readonly answering: AnswerDraft | null
  /** The prompt that the user writes, and its session: keys go there. */
  readonly saying: { readonly session: string; readonly text: string } | null
}

/** The lines of a session's pane, or why there are none. */
export interface PaneLook {
  readonly session: string
  readonly lines: readonly string[]
  readonly why: string | null
}

/** For one request, on a terminal of one size. */
interface ReadPosition {
  readonly key: string
  /** Since when any part has been visible. */
  readonly since: number
  /** Since when the last part has been visible; null before that. */
  readonly wholeAt: number | null
}

/** An answer that the user composes. */
export type AnswerDraft = { readonly request: OpenRequest } & (
  | { readonly mode: 'suggestion' }
  /** Denied, with a message to the agent. */
  | { readonly mode: 'word'; readonly text: string }
  | {
      readonly mode: 'question'
      /** The question that is shown, and the option under the cursor. */
      readonly at: number
      readonly cursor: number
      /** For each question: labels, or a free answer. */
      readonly chosen: readonly (readonly string[])[]
      /** A free answer that the user types. */
      readonly own: string | null
    }
)

export type TerminalEvent =
  | BoardEvent
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'pane'; readonly pane: PaneLook }
  | { readonly kind: 'key'; readonly key: string; readonly now: number }

/** Side effects, which the driver of the view carries out. */
export type TerminalEffect =
  | { readonly do: 'jump' | 'resume' | 'read' | 'pane'; readonly session: Session }
  | { readonly do: 'typing' | 'interrupt'; readonly session: Session }
  | { readonly do: 'say'; readonly session: Session; readonly text: string }
  | { readonly do: 'answer'; readonly request: OpenRequest; readonly answer: RequestAnswer }
  | { readonly do: 'leave' }
  | { readonly do: 'suspend' }

export interface TerminalStep {
  readonly state: TerminalState
  readonly effects: readonly TerminalEffect[]
}

export function initialTerminal(columns: number, rows: number, now: number): TerminalState {
  return {
    ...emptyBoard(now),
    columns,
    rows,
    top: 0,
    shows: 'sessions',
    pane: null,
    scroll: 0,
    typing: false,
    read: null,
    answering: null,
    saying: null,
  }
}

export function stepWith(state: TerminalState, ...effects: TerminalEffect[]): TerminalStep {
  return { state, effects }
}
