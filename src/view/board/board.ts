import type { Act } from '../../protocol/act.ts'
import type { LoopStep, LoopView } from '../../protocol/loop.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import type { Explanation, Session, Talk } from '../../protocol/session.ts'
import type { Machine, StreamEvent } from '../../protocol/stream.ts'
import type { BoardRow, Listed } from './rows.ts'

/** The state that every view of the sessions shares, in a terminal and on the page. */
export interface Board extends Listed {
  /** By the daemon's clock. */
  readonly now: number
  /** The daemon's own. */
  readonly machine: Machine | null
  /** Every machine of the fleet by its id, the daemon's own among them. */
  readonly machines: ReadonlyMap<string, Machine>
  /** Pages of a snapshot that is not complete yet. */
  readonly arriving: readonly Session[]
  /** No data has arrived from the daemon yet. */
  readonly loading: boolean
  /** The list, from the top. */
  readonly list: readonly BoardRow[]
  /** The session that keys act on and whose details are shown. */
  readonly selected: string | null
  /** The user selected it; otherwise it is the topmost. */
  readonly isChosen: boolean
  readonly details: SessionDetails | null
  /** The window is in front, as far as known. */
  readonly focused: boolean
  /** When the user last did something. */
  readonly lastActAt: number
  /** Since when the shown data is old. */
  readonly lostSince: number | null
  /** The sessions at the moment the connection was lost. */
  readonly lost: ReadonlyMap<string, Session> | null
  readonly notice: Notice | null
}

/**
 * What is known about one session beyond its row. Parts that have not arrived are null or empty.
 */
export interface SessionDetails {
  readonly id: string
  /** The row that these details were loaded for. */
  readonly row: Session
  readonly explanation: Explanation | null
  readonly talk: Talk | null
  readonly requests: readonly OpenRequest[]
  readonly loop: LoopView | null
  readonly steps: readonly LoopStep[]
  readonly acts: readonly Act[]
}

/** A sentence at the bottom of the view. */
export interface Notice {
  readonly text: string
  readonly until: number
  readonly tone: 'plain' | 'bad'
}

/** Events that every view handles alike. */
export type BoardEvent =
  | { readonly kind: 'stream'; readonly events: readonly StreamEvent[] }
  | { readonly kind: 'connection'; readonly connected: boolean; readonly now: number }
  | { readonly kind: 'passed'; readonly now: number }
  | { readonly kind: 'focus'; readonly focused: boolean }
  | { readonly kind: 'details'; readonly details: SessionDetails; readonly now: number }
  | { readonly kind: 'notice'; readonly text: string; readonly tone: Notice['tone'] }

export function emptyBoard(now: number): Board {
  return {
    now,
    machine: null,
    machines: new Map(),
    sessions: new Map(),
    arriving: [],
    loading: true,
    order: [],
    list: [],
    filter: '',
    group: 'nothing',
    dismissed: new Map(),
    unfolded: false,
    selected: null,
    isChosen: false,
    details: null,
    focused: true,
    lastActAt: 0,
    lostSince: null,
    lost: null,
    notice: null,
  }
}

export function selectedOf({ sessions, selected }: Board): Session | undefined {
  return selected === null ? undefined : sessions.get(selected)
}

/** Null if the details belong to another session. */
export function detailsOf({ details, selected }: Board): SessionDetails | null {
  return details?.id === selected ? details : null
}

/** Long enough to read; errors stay longer. */
const NOTICE_MS = { plain: 5_000, bad: 12_000 }

export function noticed<B extends Board>(
  board: B,
  text: string,
  tone: Notice['tone'] = 'plain',
): B {
  return { ...board, notice: { text, tone, until: board.now + NOTICE_MS[tone] } }
}
