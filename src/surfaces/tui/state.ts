import type { OpenRequest, RequestAnswer } from '../../protocol/request.ts'
import type {
  Asks,
  Explanation,
  Listing,
  Session,
  SessionChange,
  Talk,
} from '../../protocol/session.ts'
import type { Known } from '../../view/known.ts'
import type { Listed } from '../../view/rows.ts'

/** All that the live view knows. What it shows follows from this alone. */
export interface State extends Known, Listed {
  readonly columns: number
  readonly rows: number
  readonly now: number
  /** Nobody was chosen: the topmost row is. */
  readonly selected: string | null
  /** The first row of the list that is in sight. */
  readonly top: number
  readonly shows: 'sessions' | 'request' | 'why' | 'help'
  /** Lines of a long text that are above the window. */
  readonly scroll: number
  /** Keys go into the filter. */
  readonly typing: boolean
  /** As far as the terminal tells, its window is in front. */
  readonly focused: boolean
  readonly lastKeyAt: number
  /** Since when what is shown is the past. */
  readonly lostSince: number | null
  /** Nothing was heard yet. */
  readonly loading: boolean
  readonly details: Details | null
  /** Since when what is asked has been in sight. */
  readonly seenAt: number
  /** SPEC SH8. How much of what is asked has been in sight. */
  readonly read: Read | null
  /** What is being answered: keys go there. */
  readonly answering: Answering | null
  /** A prompt that is being written, and to whom: keys go there. */
  readonly saying: { readonly session: string; readonly text: string } | null
  readonly notice: { readonly text: string; readonly until: number } | null
}

/** Of one request, on a terminal of one size. */
interface Read {
  readonly key: string
  /** The last of it was in sight, since then. */
  readonly wholeAt: number | null
}

/** What is asked about one session when it is looked at. */
export interface Details {
  readonly id: string
  readonly explanation: Explanation | null
  readonly talk: Talk | null
  /** What it asks, with everything needed to decide. */
  readonly request: OpenRequest | null
}

/** An answer that is being put together. */
export type Answering = { readonly request: OpenRequest } & (
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

export type Event =
  | { readonly kind: 'listed'; readonly listing: Listing }
  /** The log is another one: ids that were heard mean nothing any more. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'changed'; readonly changes: readonly SessionChange[]; readonly now: number }
  | { readonly kind: 'connection'; readonly connected: boolean; readonly now: number }
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'passed'; readonly now: number }
  | { readonly kind: 'key'; readonly key: string; readonly now: number }
  | { readonly kind: 'focus'; readonly focused: boolean }
  | { readonly kind: 'details'; readonly details: Details; readonly now: number }
  | ({ readonly kind: 'asks' } & Asks)
  | { readonly kind: 'notice'; readonly text: string; readonly now: number }

/** What is to be done beyond the view; doing it is its driver's. */
export type Effect =
  | { readonly do: 'jump' | 'resume' | 'read'; readonly session: Session }
  | { readonly do: 'typing' | 'interrupt'; readonly session: Session }
  | { readonly do: 'say'; readonly session: Session; readonly text: string }
  | { readonly do: 'answer'; readonly request: OpenRequest; readonly answer: RequestAnswer }
  | { readonly do: 'leave' }
  | { readonly do: 'suspend' }

export interface Step {
  readonly state: State
  readonly effects: readonly Effect[]
}

export function initial(columns: number, rows: number, now: number): State {
  return {
    columns,
    rows,
    now,
    sessions: new Map(),
    heard: new Map(),
    order: [],
    selected: null,
    top: 0,
    filter: '',
    group: 'nothing',
    dismissed: new Map(),
    shows: 'sessions',
    scroll: 0,
    typing: false,
    focused: true,
    lastKeyAt: 0,
    lostSince: null,
    loading: true,
    details: null,
    seenAt: 0,
    read: null,
    answering: null,
    saying: null,
    notice: null,
  }
}
