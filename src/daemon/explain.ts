import type { Facts } from '../core/facts.ts'
import { judgementOf } from '../core/judge.ts'
import { nextLook } from '../core/next-look.ts'
import { wouldChange } from '../core/would-change.ts'
import type { Explanation, HistoryEntry, Session } from '../protocol/session.ts'

/** Why the session is in its state; for one that is only in the log, why it last was. */
export function explanationOf(
  session: Session,
  facts: Facts | undefined,
  now: number,
  history: readonly HistoryEntry[],
): Explanation {
  const judgement = facts && judgementOf(facts, now)
  const verdict = judgement?.verdict ?? history[0]?.verdict
  return {
    session,
    grounds: verdict?.grounds ?? [],
    wouldChange: verdict ? wouldChange(verdict) : [],
    nextLook: (facts && nextLook(facts, now, judgement)) ?? null,
    heard: facts ? heardOf(facts) : {},
    history,
  }
}

function heardOf({ heard }: Facts): Record<string, number> {
  const told = Object.entries(heard).filter((entry): entry is [string, number] => !!entry[1])
  return Object.fromEntries(told)
}
