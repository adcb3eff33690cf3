import type { Facts, Mark, Request } from '../facts.ts'
import { SOURCES, type WaitingFor } from '../signal.ts'
import type { Ground, Verdict } from '../verdict.ts'

type Bare = 'state' | 'since' | 'rule' | 'reason' | 'grounds' | 'for' | 'after' | 'cause' | 'how'

/** What a rule found: the bare verdict, before the facets that stand beside the state. */
export type Finding = Pick<Verdict, Bare> & { readonly request?: Request }

/** Where nothing better is at hand: the newest thing anybody told of the session. */
export function lastSign({ heard }: Facts): readonly Ground[] {
  const sources = SOURCES.filter((source) => heard[source] !== undefined)
  const source = sources.toSorted((a, b) => (heard[b] ?? 0) - (heard[a] ?? 0))[0]
  return source ? [{ source, saw: 'last sign of life', at: heard[source] ?? 0 }] : []
}

export function groundOf(mark: Mark | undefined, saw: string): readonly Ground[] {
  return mark ? [{ source: mark.source, saw, at: mark.at }] : []
}

export function askedFor(kind: WaitingFor): string {
  return {
    permission: 'a permission',
    question: 'an answer',
    plan: 'approval of a plan',
    dialog: 'a choice',
  }[kind]
}
