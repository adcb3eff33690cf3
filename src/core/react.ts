import { NOTIFY_SETTLE_MS } from './limits.ts'
import { needOf } from './loop/need.ts'
import type { LoopFacet } from './signal.ts'
import type { Verdict } from './verdict.ts'

/** What surfaces should do about a change, as data; the surfaces do it. */
export type Effect =
  | { readonly do: 'show'; readonly verdict: Verdict }
  /** Notify the user, unless withdrawn before the verdict has lasted for `settleMs` (SPEC A5). */
  | { readonly do: 'notify'; readonly verdict: Verdict; readonly settleMs: number }
  | { readonly do: 'withdraw'; readonly session: string }

export function react(before: Verdict | undefined, after: Verdict): readonly Effect[] {
  const effects: Effect[] = []
  if (!before || !looksSame(before, after)) effects.push({ do: 'show', verdict: after })
  const called = before?.unread === true
  const calls = after.unread && !(called && sameCall(before, after))
  if (called && (!after.unread || calls)) effects.push({ do: 'withdraw', session: after.session })
  if (calls) effects.push({ do: 'notify', verdict: after, settleMs: NOTIFY_SETTLE_MS })
  return effects
}

/** SPEC M7. What counts as a change of verdict: what a person would see or act on. */
export function looksSame(a: Verdict, b: Verdict): boolean {
  return (
    a.state === b.state &&
    a.for === b.for &&
    a.after === b.after &&
    a.cause === b.cause &&
    a.unread === b.unread &&
    a.typing === b.typing &&
    a.detached === b.detached &&
    sameLoop(a.loop, b.loop)
  )
}

function sameLoop(a: LoopFacet | undefined, b: LoopFacet | undefined): boolean {
  if (!a || !b) return a === b
  return (
    a.state === b.state &&
    a.iteration === b.iteration &&
    a.max === b.max &&
    a.hold === b.hold &&
    a.until === b.until
  )
}

function sameCall(a: Verdict, b: Verdict): boolean {
  const need = needOf(b.loop)
  const same = a.state === b.state && a.for === b.for && a.request?.at === b.request?.at
  return same && (need === null || need === needOf(a.loop))
}
