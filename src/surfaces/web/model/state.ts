import type { Session } from '../../../protocol/session.ts'
import { type Board, type BoardEvent, emptyBoard } from '../../../view/board/board.ts'
import type { RowWindow } from '../../../view/board/choose.ts'
import type { Grouping } from '../../../view/board/rows.ts'
import { type Arming, type PressPlace, UNARMED } from './arming.ts'
import type { PageRoute } from './route.ts'

/** The state of the page. What it shows follows from this alone. */
export interface PageState extends Board {
  readonly route: PageRoute
  /** The visible rows, for the numbers in front of them. */
  readonly sight: RowWindow
  /** List and session are side by side. */
  readonly wide: boolean
  readonly arming: Arming
  /** Beside the list a session is selected automatically, for reading. */
  readonly choosesFirst: boolean
  readonly help: boolean
  /** The latest announcement for screen readers. */
  readonly said: string
}

export type PageEvent =
  | BoardEvent
  /** `at` is from a clock that is never set; intentional actions are measured by it. */
  | { readonly kind: 'key'; readonly key: string; readonly now: number; readonly at: number }
  | { readonly kind: 'attention'; readonly here: boolean; readonly at: number }
  | { readonly kind: 'touched'; readonly at: number; readonly pressed: PressPlace | null }
  | { readonly kind: 'pointed'; readonly session: string; readonly at: number }
  | { readonly kind: 'acted'; readonly now: number }
  | { readonly kind: 'wide'; readonly wide: boolean }
  | { readonly kind: 'sight'; readonly from: number; readonly count: number }
  | { readonly kind: 'went'; readonly route: PageRoute }
  | { readonly kind: 'chose'; readonly id: string; readonly now: number; readonly at: number }
  | { readonly kind: 'filtered'; readonly filter: string; readonly now: number }
  | { readonly kind: 'grouped'; readonly group: Grouping; readonly now: number }
  | { readonly kind: 'unfolded'; readonly now: number }
  | { readonly kind: 'help'; readonly help: boolean }

/** Side effects, which the page carries out. */
export type PageEffect =
  | { readonly do: 'read'; readonly session: Session }
  | { readonly do: 'search' | 'leave-search' | 'back' | 'focus-row' | 'focus-session' }
  /** For the visible request, if any. */
  | { readonly do: 'allow' | 'deny' }
  /** `new` adds an entry to the browser's history. */
  | { readonly do: 'go'; readonly route: PageRoute; readonly new: boolean }

export interface PageStep {
  readonly state: PageState
  readonly effects: readonly PageEffect[]
}

export function initialPage(
  now: number,
  route: PageRoute,
  wide: boolean,
  choosesFirst = true,
): PageState {
  const isOpen = route.at === 'session'
  return {
    ...emptyBoard(now),
    selected: isOpen ? route.id : null,
    isChosen: isOpen,
    route,
    sight: { from: 0, count: 9 },
    wide,
    arming: UNARMED,
    choosesFirst,
    help: false,
    said: '',
  }
}

export function pageStep(state: PageState, ...effects: PageEffect[]): PageStep {
  return { state, effects }
}
