import type { Facts, Mark, Request, Tool } from '../facts.ts'
import { SOURCES, type WaitingFor } from '../signal.ts'
import type { Evidence, Verdict } from '../verdict.ts'

type Bare = 'state' | 'since' | 'rule' | 'reason' | 'grounds' | 'for' | 'after' | 'cause' | 'how'

/** What a rule found: the bare verdict, before the facets beside the state. */
export type Finding = Pick<Verdict, Bare> & { readonly request?: AskedRequest }

type AskedRequest = Pick<Request, 'tool' | 'at' | 'text' | 'actor'>

/**
 * SPEC W12. A permission is asked whose request no source has reported yet: the only tool that has
 * begun and not ended is the one asked about. Of several it may be any.
 */
export function openToolAsRequest(
  kind: WaitingFor,
  tools: readonly Tool[],
): AskedRequest | undefined {
  const [tool, ...others] = tools
  if (kind !== 'permission' || tool?.startedAt === undefined || others.length > 0) return undefined
  const { name, startedAt, label, actor } = tool
  const asked = { tool: name, at: startedAt }
  return { ...asked, ...(label !== undefined && { text: label }), ...(actor && { actor }) }
}

/** The fallback: the newest report of any source about the session. */
export function lastSign({ heard }: Facts): readonly Evidence[] {
  const sources = SOURCES.filter((source) => heard[source] !== undefined)
  const source = sources.toSorted((a, b) => (heard[b] ?? 0) - (heard[a] ?? 0))[0]
  return source ? [{ source, saw: 'last sign of life', at: heard[source] ?? 0 }] : []
}

export function evidenceOf(mark: Mark | undefined, saw: string): readonly Evidence[] {
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
