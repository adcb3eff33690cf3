import type { Talk } from '../../agents/claude/talk.ts'
import type { Change } from '../../daemon/api/shapes.ts'
import type { Listing } from '../../daemon/fleet.ts'
import type { Explanation, Session } from '../../daemon/session.ts'
import type { Row } from '../../view/order.ts'

export const GROUPS = ['nothing', 'project', 'host'] as const
export type Group = (typeof GROUPS)[number]

/** All that the live view knows. What it shows follows from this alone. */
export interface State {
  readonly columns: number
  readonly rows: number
  readonly now: number
  readonly sessions: ReadonlyMap<string, Session>
  /** The last change heard of each session; a listing may be older than it. */
  readonly heard: ReadonlyMap<string, number>
  /** All sessions, from the top. */
  readonly order: readonly Row[]
  /** Nobody was chosen: the topmost row is. */
  readonly selected: string | null
  /** The first row of the list that is in sight. */
  readonly top: number
  readonly filter: string
  readonly group: Group
  /** Sessions out of sight, and the state's beginning they had then. */
  readonly dismissed: ReadonlyMap<string, number>
  readonly shows: 'sessions' | 'why' | 'help'
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
  readonly notice: { readonly text: string; readonly until: number } | null
}

/** What is asked about one session when it is looked at. */
export interface Details {
  readonly id: string
  readonly explanation: Explanation | null
  readonly talk: Talk | null
}

export type Event =
  | { readonly kind: 'listed'; readonly listing: Listing }
  | { readonly kind: 'changed'; readonly changes: readonly Change[]; readonly now: number }
  | { readonly kind: 'connection'; readonly connected: boolean; readonly now: number }
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'passed'; readonly now: number }
  | { readonly kind: 'key'; readonly key: string; readonly now: number }
  | { readonly kind: 'focus'; readonly focused: boolean }
  | { readonly kind: 'details'; readonly details: Details }
  | { readonly kind: 'notice'; readonly text: string; readonly now: number }

/** What is to be done beyond the view; doing it is its driver's. */
export type Effect =
  | { readonly do: 'jump' | 'resume' | 'read'; readonly session: Session }
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
    notice: null,
  }
}
