import { STACK_MAX } from '../limits.ts'
import type { LoopRun, RunFrame, Streaks } from './run.ts'

/** Starting, nesting and ending. A run that has ended never changes again. */

export const NO_STREAKS: Streaks = {
  message: '',
  sameMessage: 0,
  failing: '',
  sameFailing: 0,
  unchanged: 0,
}

export function startRun(id: string, frame: RunFrame, now: number): LoopRun {
  return {
    id,
    event: 'STATE',
    startedAt: now,
    updatedAt: now,
    stack: [frame],
    streaks: NO_STREAKS,
    parkedTimes: 0,
    unsaid: true,
  }
}

/**
 * SPEC LP23. A second loop of a session is stacked on the first, which waits for its end: replacing
 * it would lose what the user wanted first. A hold stays: the user paused the whole session.
 */
export function nestFrame(run: LoopRun, frame: RunFrame, now: number): LoopRun {
  if (!canNest(run)) return run
  return {
    ...run,
    stack: [...run.stack, frame],
    updatedAt: now,
    streaks: NO_STREAKS,
    unsaid: true,
  }
}

export function canNest(run: LoopRun): boolean {
  return !isOver(run) && run.stack.length < STACK_MAX
}

/** SPEC LP21. At once: the next Stop has nothing left to continue. */
export function stopRun(run: LoopRun, now: number): LoopRun {
  if (isOver(run)) return run
  return endRun(run, { event: 'ABORT', reason: 'USER_CANCELLED', because: 'stopped by you' }, now)
}

/** SPEC LP2. The run will never decide anything again. */
export function isOver(run: LoopRun): boolean {
  return run.event !== 'STATE' || run.stack.length === 0
}

/** How a frame, or a whole run, ended. */
export interface End {
  readonly event: 'DONE' | 'ABORT'
  readonly reason?: string
  readonly because: string
}

/** SPEC LP6. The document's DONE and ABORT: an empty stack, including outer loops. */
export function endRun(run: LoopRun, end: End, now: number): LoopRun {
  const { hold, reason, because, ...kept } = run
  return { ...kept, ...end, updatedAt: now, stack: [], unsaid: false }
}

/** SPEC LP69. A run that is over has no frames, whatever was written beside its event. */
export function settledRun(run: LoopRun, now: number): LoopRun {
  const { event, reason, because = 'it was over already when it was resumed', stack } = run
  if (event === 'STATE' || stack.length === 0) return run
  return endRun(run, { event, because, ...(reason !== undefined && { reason }) }, now)
}

/**
 * SPEC LP11. The top frame is done. The agent reads the opening of the frame below again: turns or
 * a compaction may lie between, it may never have read it, and its signal may differ. Not for the
 * document's frames, which have no task text.
 */
export function popFrame(run: LoopRun, end: End, now: number): LoopRun {
  const stack = run.stack.slice(0, -1)
  const below = stack.at(-1)
  if (!below) return endRun(run, end, now)
  const { prompt, item } = below
  const unsaid = prompt !== undefined || (item !== undefined && item.title !== item.id)
  return { ...run, stack, updatedAt: now, streaks: NO_STREAKS, unsaid }
}
