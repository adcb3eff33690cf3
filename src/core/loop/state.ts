import type { LoopRun, LoopState } from './run.ts'
import { isOver } from './stack.ts'

/**
 * Which of the document's states a run is in between two Stops. COMPLETING is none of them: a Stop
 * passes through it on the way to IDLE, or to ACTIVE where an outer loop continues. An ended run
 * keeps reporting how it ended, because STUCK needs a person.
 */
export function loopStateOf(run: LoopRun | undefined): LoopState {
  if (run?.event === 'ABORT') return 'ABORTED'
  if (run?.event === 'DONE' && STUCK.includes(run.reason ?? '')) return 'STUCK'
  return !run || isOver(run) ? 'IDLE' : 'ACTIVE'
}

const STUCK = ['STUCK', 'MAX_ITERATIONS']
