import type { LoopRun, LoopState } from './run.ts'
import { isOver } from './stack.ts'

/**
 * Which of the document's states a run is in between two Stops. COMPLETING is none of them: a Stop
 * passes through it on the way to IDLE, or to ACTIVE where an outer loop goes on. An ended run
 * keeps telling how it ended, because STUCK wants a person to come.
 */
export function loopStateOf(run: LoopRun | undefined): LoopState {
  if (run?.event === 'ABORT') return 'ABORTED'
  if (run?.event === 'DONE' && STUCK.includes(run.reason ?? '')) return 'STUCK'
  return !run || isOver(run) ? 'IDLE' : 'ACTIVE'
}

const STUCK = ['STUCK', 'MAX_ITERATIONS']
