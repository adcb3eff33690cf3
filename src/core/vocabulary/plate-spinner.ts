import type { Verdict } from '../verdict.ts'

export type PlateStatus =
  | 'Starting'
  | 'Running'
  | 'Idle'
  | 'AwaitingInput'
  | 'AwaitingApproval'
  | 'Error'
  | 'Closed'

/** A verdict in plate-spinner's words; it has none for an unknown state. */
export function plateStatus(
  verdict: Pick<Verdict, 'state' | 'for' | 'after'>,
): PlateStatus | undefined {
  switch (verdict.state) {
    case 'starting':
      return 'Starting'
    case 'working':
    case 'background':
    case 'stuck':
      return 'Running'
    case 'waiting':
      return verdict.for === 'question' || verdict.for === 'dialog'
        ? 'AwaitingInput'
        : 'AwaitingApproval'
    case 'idle':
      // SPEC SP1: a session that has just started is Running to plate-spinner.
      return verdict.after === 'start' ? 'Running' : 'Idle'
    case 'error':
      return 'Error'
    case 'closed':
      return 'Closed'
    case 'unknown':
      return undefined
  }
}
