import type { Mark, Request } from '../facts.ts'
import type { WaitingFor } from '../signal.ts'
import type { Ground, IdleAfter, State } from '../verdict.ts'

/** What a rule found: the bare verdict, before the facets that stand beside the state. */
export interface Finding {
  readonly state: State
  readonly since: number
  readonly rule: string
  readonly reason: string
  readonly grounds: readonly Ground[]
  readonly for?: WaitingFor
  readonly request?: Request
  readonly after?: IdleAfter
  readonly cause?: string
  readonly how?: string
}

export function ground(mark: Mark | undefined, saw: string): readonly Ground[] {
  return mark ? [{ source: mark.source, saw, at: mark.at }] : []
}
