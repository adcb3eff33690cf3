/** A loop as it is stored: plain data. `decide.ts` decides what follows from it. */

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

/** A separate branch and folder for one item. */
export interface Worktree {
  readonly path: string
  readonly branch: string
  readonly baseRef: string
}

/** One loop of a stack: the last one runs, those before it wait for its end. */
export interface RunFrame {
  readonly id: string
  readonly mode: Mode
  /** NaN where the given state has no number: such a loop is aborted. */
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
  /** Items that a grind has handed out: none is handed out twice. */
  readonly taken?: readonly string[]
  /** Done only when this command exits 0. */
  readonly until?: string
  readonly deadlineAt?: number
  readonly budgetUsd?: number
  /** What the session had cost when the loop began. */
  readonly costAtStartUsd?: number
  /** How many turns without progress are accepted; 0 for any number. */
  readonly patience: number
}

/**
 * The loop is armed, and yet every Stop passes. `paused`: by a person. `parked`: until an API error
 * has passed. `human`: nothing can continue without a person.
 */
export interface LoopHold {
  readonly kind: 'paused' | 'parked' | 'human'
  readonly why: string
  readonly since: number
  /** When vigil resumes it without a person. */
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
  /** The reason in words, where there is more to say. */
  readonly because?: string
  readonly startedAt: number
  readonly updatedAt: number
  readonly stack: readonly RunFrame[]
  readonly hold?: LoopHold
  readonly streaks: Streaks
  /** Consecutive errors for which it was parked. */
  readonly parkedTimes: number
  /** The agent has not yet received the opening text. */
  readonly unsaid: boolean
  /** What the session had cost at the last Stop: a restarted counter shows less. */
  readonly costSeenUsd?: number
}
