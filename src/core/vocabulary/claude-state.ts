import type { Verdict } from '../verdict.ts'

export type ClaudeState =
  | 'idle'
  | 'working'
  | 'working_background'
  | 'waiting_permission'
  | 'waiting_question'
  | 'waiting_plan'
  | 'stopped'
  | 'stuck'

/** A verdict in claude-state's words; its unread flag is the verdict's own. */
export function claudeState(
  verdict: Pick<Verdict, 'state' | 'for' | 'after'>,
): ClaudeState | undefined {
  switch (verdict.state) {
    case 'starting':
      return 'idle'
    case 'working':
      return 'working'
    case 'background':
      return 'working_background'
    case 'stuck':
      return 'stuck'
    case 'waiting':
      if (verdict.for === 'plan') return 'waiting_plan'
      return verdict.for === 'permission' ? 'waiting_permission' : 'waiting_question'
    case 'idle':
      return verdict.after === 'start' ? 'idle' : 'stopped'
    // SPEC SC4: a turn’s end, its failure and the session’s end all mean stopped.
    case 'error':
    case 'closed':
      return 'stopped'
    case 'unknown':
      return undefined
  }
}
