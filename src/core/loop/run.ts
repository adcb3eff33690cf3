/** A loop as it is kept: plain data. What may follow from it is in `decide.ts`. */

export const MODES = ['loop', 'issue', 'grind'] as const
export type Mode = (typeof MODES)[number]

/** The states of idle-stop-hook.md. */
export type LoopState = 'IDLE' | 'ACTIVE' | 'COMPLETING' | 'STUCK' | 'ABORTED'

/** Where a grind takes its items from, one after another. */
export type ItemSource =
  | { readonly kind: 'github'; readonly filter?: string }
  | { readonly kind: 'checklist'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string }

export interface Item {
  readonly id: string
  readonly title: string
  readonly text?: string
}

/** A branch and folder of its own for one item. */
export interface Worktree {
  readonly path: string
  readonly branch: string
  readonly baseRef: string
}

/** One loop of a stack: the last is the one at work, those before it wait for its end. */
export interface RunFrame {
  readonly id: string
  readonly mode: Mode
  /** NaN where the state that was given holds no number: such a loop is aborted. */
  readonly iter: number
  readonly max: number
  readonly startedAt: number
  /** What the agent is to do, in its user's words. */
  readonly prompt?: string
  readonly promptFile?: string
  readonly filter?: string
  readonly item?: Item
  readonly worktree?: Worktree
  readonly source?: ItemSource
  /** Items a grind has handed out: none is handed out twice. */
  readonly taken?: readonly string[]
  /** Done only when this command exits 0. */
  readonly until?: string
  readonly deadlineAt?: number
  readonly budgetUsd?: number
  /** What the session had cost when the loop began. */
  readonly costAtStartUsd?: number
  /** Turns without progress that are borne; 0 for any number. */
  readonly patience: number
}

/**
 * Armed, and yet every Stop is let through. `paused`: by a person. `parked`: an error of the API is
 * waited out. `human`: nothing can be done without one.
 */
export interface LoopHold {
  readonly kind: 'paused' | 'parked' | 'human'
  readonly why: string
  readonly since: number
  /** When it is to be taken up again by itself. */
  readonly until?: number
}

/** How often in a row the same happened. */
export interface Streaks {
  readonly message: string
  readonly sameMessage: number
  readonly failing: string
  readonly sameFailing: number
  readonly unchanged: number
}

export interface LoopRun {
  readonly id: string
  /** The words of the document's state file. */
  readonly event: 'STATE' | 'DONE' | 'ABORT'
  /** Why it is DONE or ABORTed: COMPLETE, MAX_ITERATIONS, STUCK, NO_MORE_ISSUES, USER_CANCELLED… */
  readonly reason?: string
  /** The same for people, where there is more to say. */
  readonly because?: string
  readonly startedAt: number
  readonly updatedAt: number
  readonly stack: readonly RunFrame[]
  readonly hold?: LoopHold
  readonly streaks: Streaks
  /** Errors in a row that it was parked for. */
  readonly parkedTimes: number
  /** The opening text is yet to be given to the agent. */
  readonly unsaid: boolean
  /** What the session had cost at the last Stop: a counter that begins anew shows less. */
  readonly costSeenUsd?: number
}
