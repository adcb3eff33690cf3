import type { Act } from '../../../protocol/act.ts'
import type { LoopStep, LoopView } from '../../../protocol/loop.ts'
import type { OpenRequest } from '../../../protocol/request.ts'
import type {
  Explanation,
  Listing,
  Session,
  SessionChange,
  Talk,
} from '../../../protocol/session.ts'
import type { Known } from '../../../view/known.ts'
import type { Group, Listed, Row } from '../../../view/rows.ts'
import { type Arming, UNARMED } from './arming.ts'
import type { Route } from './route.ts'

/** All that the page knows. What it shows follows from this alone. */
export interface State extends Known, Listed {
  /** By the daemon's clock. */
  readonly now: number
  /** What is in the list, from the top. */
  readonly rows: readonly Row[]
  readonly selected: string | null
  readonly route: Route
  /** Rows that are in sight, for the numbers in front of them. */
  readonly sight: { readonly from: number; readonly count: number }
  /** List and session stand side by side. */
  readonly wide: boolean
  readonly focused: boolean
  readonly lastActAt: number
  readonly arming: Arming
  /** Beside the list a session is chosen by itself, for looking. */
  readonly choosesFirst: boolean
  /** Since when what is shown is the past. */
  readonly lostSince: number | null
  /** As it was when the daemon was lost, to tell what happened meanwhile. */
  readonly lost: ReadonlyMap<string, Session> | null
  readonly loading: boolean
  readonly help: boolean
  readonly details: Details | null
  readonly notice: Notice | null
  /** What a screen reader is told, the latest. */
  readonly said: string
}

export interface Notice {
  readonly text: string
  readonly until: number
  readonly tone: 'plain' | 'bad'
}

/** What is asked about one session when it is looked at. What did not come yet is null. */
export interface Details {
  readonly id: string
  readonly explanation: Explanation | null
  readonly talk: Talk | null
  readonly requests: readonly OpenRequest[]
  readonly loop: LoopView | null
  readonly steps: readonly LoopStep[]
  readonly acts: readonly Act[]
}

export type Event =
  | { readonly kind: 'listed'; readonly listing: Listing }
  /** The log is another one: ids that were heard mean nothing any more. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'changed'; readonly changes: readonly SessionChange[]; readonly now: number }
  | { readonly kind: 'asks'; readonly session: string; readonly asks: readonly string[] }
  | { readonly kind: 'connection'; readonly connected: boolean; readonly now: number }
  | { readonly kind: 'passed'; readonly now: number }
  /** `at` is of a clock that is never set; what its user does on purpose is measured by it. */
  | { readonly kind: 'key'; readonly key: string; readonly now: number; readonly at: number }
  | { readonly kind: 'attention'; readonly here: boolean; readonly at: number }
  | { readonly kind: 'touched'; readonly at: number }
  | { readonly kind: 'pointed'; readonly session: string; readonly at: number }
  | { readonly kind: 'acted'; readonly now: number }
  | { readonly kind: 'focus'; readonly focused: boolean }
  | { readonly kind: 'wide'; readonly wide: boolean }
  | { readonly kind: 'sight'; readonly from: number; readonly count: number }
  | { readonly kind: 'went'; readonly route: Route }
  | { readonly kind: 'chose'; readonly id: string; readonly now: number; readonly at: number }
  | { readonly kind: 'filtered'; readonly filter: string; readonly now: number }
  | { readonly kind: 'grouped'; readonly group: Group; readonly now: number }
  | { readonly kind: 'help'; readonly help: boolean }
  | { readonly kind: 'details'; readonly details: Details }
  | { readonly kind: 'notice'; readonly text: string; readonly tone: Notice['tone'] }

/** What is to be done beyond the model; doing it is the page's. */
export type Effect =
  | { readonly do: 'read'; readonly session: Session }
  | { readonly do: 'search' | 'leave-search' | 'back' | 'focus-row' | 'focus-session' }
  /** About the request that is shown, if one is. */
  | { readonly do: 'allow' | 'deny' }
  /** `new` is a step one can go back from. */
  | { readonly do: 'go'; readonly route: Route; readonly new: boolean }

export interface Step {
  readonly state: State
  readonly effects: readonly Effect[]
}

export function initial(now: number, route: Route, wide: boolean, choosesFirst = true): State {
  return {
    now,
    sessions: new Map(),
    heard: new Map(),
    order: [],
    rows: [],
    selected: route.at === 'session' ? route.id : null,
    route,
    filter: '',
    group: 'nothing',
    dismissed: new Map(),
    sight: { from: 0, count: 9 },
    wide,
    focused: true,
    lastActAt: 0,
    arming: UNARMED,
    choosesFirst,
    lostSince: null,
    lost: null,
    loading: true,
    help: false,
    details: null,
    notice: null,
    said: '',
  }
}
