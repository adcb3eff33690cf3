import type { Item, ItemSource, LoopRun, LoopState, RunFrame, Worktree } from './run.ts'

/** The input of a decision about a Stop, and its result. */

export interface Stop {
  /** The whole last assistant message. */
  readonly message: string
  /** IDLE_LOOP_DISABLE or VIGIL_LOOP_DISABLE. */
  readonly disabled: boolean
  /** What the session has cost so far, where known. */
  readonly costUsd?: number
  /** The last command that failed in this turn and did not succeed later. */
  readonly failing?: string
  /** A tool that can change files succeeded in this turn. */
  readonly changed: boolean
  /** Why the circuit breaker over all loops is open, and until when. */
  readonly breaker?: { readonly why: string; readonly until: number }
  /** Results of this Stop's commands, each once it has run; earlier results stay. */
  readonly check?: CheckReport
  readonly next?: NextItem
  /** Text to give back to the agent after a compaction. */
  readonly anchor?: string
}

export interface CheckReport {
  /** Null when a signal ended the command, or it could not be started. */
  readonly exitCode: number | null
  readonly output: string
  readonly timedOut?: boolean
}

export type NextItem =
  | { readonly item: Item; readonly worktree?: Worktree }
  | { readonly none: true }
  | { readonly error: string }

/** What must be found out in the agent's own folder and environment before a decision. */
export type PendingCheck =
  | {
      readonly kind: 'check'
      readonly command: string
      readonly timeoutMs: number
      readonly cwd?: string
    }
  | {
      readonly kind: 'next'
      readonly source: ItemSource
      readonly taken: readonly string[]
      readonly timeoutMs: number
      /** The loop that will own it. */
      readonly loop: string
    }

/**
 * `from` and `to` are the document's states: a Stop that completes goes to COMPLETING (`state.ts`).
 */
export type StopDecision =
  | {
      readonly act: 'allow'
      readonly run: LoopRun | undefined
      readonly from: LoopState
      readonly to: LoopState
      readonly why: string
    }
  | {
      readonly act: 'block'
      readonly run: LoopRun
      readonly from: LoopState
      readonly to: 'ACTIVE'
      readonly reason: string
      readonly why: string
    }
  | { readonly act: 'chore'; readonly chore: PendingCheck }

/** A Stop of a run that has a running frame. */
export interface Turn {
  readonly run: LoopRun
  readonly top: RunFrame
  readonly stop: Stop
  readonly now: number
}
