import type { OpenRequest, RequestAnswer } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { type Board, type BoardEvent, emptyBoard } from '../../view/board/board.ts'

/** All that the live view knows. What it shows follows from this alone. */
export interface TerminalState extends Board {
  readonly columns: number
  readonly rows: number
  /** The first row of the list that is in sight. */
  readonly top: number
  readonly shows: 'sessions' | 'request' | 'why' | 'pane' | 'help'
  /** What a session's pane showed when it was last asked for. */
  readonly pane: PaneLook | null
  /** Lines of a long text that are above the window. */
  readonly scroll: number
  /** Keys go into the filter. */
  readonly typing: boolean
  /** SPEC SH8. How much of what is asked has been in sight. */
  readonly read: ReadPosition | null
  /** What is being answered: keys go there. */
  readonly answering: AnswerDraft | null
  /** A prompt that is being written, and its session: keys go there. */
  readonly saying: { readonly session: string; readonly text: string } | null
}

/** The lines of a session's pane, or why there are none. */
export interface PaneLook {
  readonly session: string
  readonly lines: readonly string[]
  readonly why: string | null
}

/** Of one request, on a terminal of one size. */
interface ReadPosition {
  readonly key: string
  /** Since when any of it has been in sight. */
  readonly since: number
  /** Since when the last of it has been; null while it was not. */
  readonly wholeAt: number | null
}

/** An answer that is being put together. */
export type AnswerDraft = { readonly request: OpenRequest } & (
  | { readonly mode: 'suggestion' }
  /** Denied, with a word to the agent. */
  | { readonly mode: 'word'; readonly text: string }
  | {
      readonly mode: 'question'
      /** Which of its questions is shown, and which option keys are at. */
      readonly at: number
      readonly cursor: number
      /** By question: labels, or words of one's own. */
      readonly chosen: readonly (readonly string[])[]
      /** Words of one's own that are being typed. */
      readonly own: string | null
    }
)

export type TerminalEvent =
  | BoardEvent
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'pane'; readonly pane: PaneLook }
  | { readonly kind: 'key'; readonly key: string; readonly now: number }

/** What is to be done beyond the view; doing it is its driver's. */
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
