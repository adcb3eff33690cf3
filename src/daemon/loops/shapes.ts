import type { Item, ItemSource, LoopState, Mode, Worktree } from '../../core/loop/run.ts'
import type { Checked, Chore, NextItem } from '../../core/loop/stop.ts'
import type { By } from '../panes/shapes.ts'

/** A loop as everybody outside gets it. Every field is always there; what is not known is null. */
export interface LoopView {
  readonly id: string
  /** The session it belongs to at present: `/clear` and resume take it along. */
  readonly session: string
  readonly state: LoopState
  readonly event: 'STATE' | 'DONE' | 'ABORT'
  readonly reason: string | null
  readonly because: string | null
  readonly hold: HoldView | null
  readonly mode: Mode
  readonly iteration: number
  readonly max: number
  readonly prompt: string | null
  readonly item: string | null
  readonly until: string | null
  readonly deadlineAt: number | null
  readonly budgetUsd: number | null
  readonly spentUsd: number | null
  readonly startedAt: number
  readonly updatedAt: number
  /** The outermost first; the last one is at work. */
  readonly frames: readonly FrameView[]
  readonly open: boolean
}

interface HoldView {
  readonly kind: 'paused' | 'parked' | 'human'
  readonly why: string
  readonly since: number
  readonly until: number | null
}

export interface FrameView {
  readonly id: string
  readonly mode: Mode
  readonly iteration: number
  readonly max: number
  readonly item: string | null
  readonly worktree: Worktree | null
  readonly prompt: string | null
}

/** One thing that happened to a loop. */
export interface LoopStep {
  readonly at: number
  readonly kind: StepKind
  readonly iteration: number
  readonly max: number
  readonly mode: Mode
  readonly why: string
  /** The agent's last words. */
  readonly said: string
  /** What the turn cost, and how long it took. */
  readonly costUsd: number | null
  readonly tookMs: number | null
}

export const STEP_KINDS = [
  'started',
  'nested',
  'imported',
  'iteration',
  'completed',
  'stuck',
  'aborted',
  'paused',
  'resumed',
  'parked',
  'needs-human',
  'said',
  'moved',
  'compacted',
] as const
export type StepKind = (typeof STEP_KINDS)[number]

export interface StartLoop {
  readonly session: string
  readonly mode: Mode
  readonly prompt: string | null
  readonly promptFile: string | null
  readonly max: number
  readonly item: Item | null
  readonly worktree: Worktree | null
  readonly source: ItemSource | null
  readonly filter: string | null
  readonly until: string | null
  readonly forMs: number | null
  readonly budgetUsd: number | null
  readonly patience: number
}

/** How the agent hears of its loop. */
export interface Delivery {
  readonly how: 'typed' | 'next-stop' | 'by-user'
  readonly why: string
}

export interface Started {
  readonly loop: LoopView
  readonly delivery: Delivery
  /** The client may end the loop after eight turns without a tool. */
  readonly capped: boolean
}

/** What became of `/vigil:loop`; `later`: its text has not come yet, and begins it when it does. */
export type Begun =
  | { readonly act: 'started'; readonly started: Started }
  | { readonly act: 'refused'; readonly why: string }
  | { readonly act: 'later' }

/** What a hook that may answer is told. */
export type Answer =
  | { readonly act: 'allow' }
  | { readonly act: 'block'; readonly reason: string }
  | { readonly act: 'chore'; readonly chore: Chore }
  | { readonly act: 'say'; readonly text: string }

/** Asked about a Stop by its hook, by the name of the report it left. */
export interface Question {
  readonly report: string
  /** Of its payload: see `Spooled`. */
  readonly digest: string
  /** What came of the chore it was given. */
  readonly result?: { readonly check?: Checked; readonly next?: NextItem }
}

/** Everything that can be asked about loops. */
export interface Loops {
  list(options: { readonly all: boolean }): readonly LoopView[]
  /** By its own id, or by its session's. */
  find(name: string): LoopView | undefined
  history(name: string): readonly LoopStep[]
  /** Each of these is noted before it takes effect. */
  start(wanted: StartLoop, by: By): Promise<Started>
  pause(name: string, why: string, by: By): LoopView
  resume(name: string, by: By): Promise<Started>
  stop(name: string, why: string, by: By): LoopView
  export(name: string): object
  import(session: string, text: string, by: By): LoopView
  /** What was typed behind `/vigil:loop` in this session becomes its loop. */
  begin(session: string, gone: AbortSignal): Promise<Begun>
  answer(question: Question, gone: AbortSignal): Promise<Answer>
}
