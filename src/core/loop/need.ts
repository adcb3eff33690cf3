import type { LoopFacet } from '../signal.ts'
import type { LoopHold } from './run.ts'

/**
 * The hold as a facet states it: kind and reason, or the reason alone where the loop needs its
 * user.
 */
export function holdWords({ kind, why }: Pick<LoopHold, 'kind' | 'why'>): string {
  return kind === 'human' ? why : `${kind}: ${why}`
}

/** The two parts of `holdWords`. */
export function splitHold(hold: string): Pick<LoopHold, 'kind' | 'why'> {
  const kind = KINDS.find((one) => hold.startsWith(`${one}: `))
  return kind ? { kind, why: hold.slice(kind.length + 2) } : { kind: 'human', why: hold }
}

const KINDS = ['paused', 'parked'] as const

/** SPEC LP86. Why a loop needs its user; null while it runs, waits, or is paused. */
export function needOf(loop: LoopFacet | null | undefined): string | null {
  if (!loop) return null
  if (loop.state === 'STUCK') return loop.hold ?? 'its loop is stuck'
  return loop.hold !== null && splitHold(loop.hold).kind === 'human' ? loop.hold : null
}

/** The loop is running: it will shortly continue an idle session. */
export function goesOn(loop: LoopFacet | null | undefined): boolean {
  return loop?.state === 'ACTIVE' && loop.hold === null
}
