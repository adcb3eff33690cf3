import type { LoopFacet } from '../../core/signal.ts'
import type { Verdict } from '../../core/verdict.ts'

/** A change of verdict for scripts, from `vigil replay` and from `vigil watch`. */
export function changeLine(t: number, verdict: Verdict) {
  return lineOf(t, verdict.session, verdict)
}

type Said = Pick<Verdict, 'state' | 'since' | 'rule' | 'reason' | 'unread' | 'typing'> & {
  readonly for?: string | null
  readonly after?: string | null
  readonly cause?: string | null
  readonly how?: string | null
  readonly loop?: LoopFacet | null
  readonly detached?: boolean
}

/** The same for a session before its first change. */
export function lineOf(t: number, session: string, said: Said) {
  const { state, since, rule, reason, unread, typing, after, cause, how, loop, detached } = said
  return {
    t,
    session,
    state,
    ...(said.for && { for: said.for }),
    ...(after && { after }),
    ...(cause && { cause }),
    ...(how && { how }),
    since,
    rule,
    reason,
    unread,
    ...(typing && { typing }),
    ...(detached && { detached }),
    // The reason of a hold is in the agent's words, which an export must not contain.
    ...(loop && { loop: { state: loop.state, iteration: loop.iteration, max: loop.max } }),
  }
}
