import type { Facts, Request } from '../facts.ts'
import { REQUESTS_MAX } from '../limits.ts'
import type { SignalOf } from '../signal.ts'
import { bounded, upsert } from './mark.ts'

/**
 * Only the opening is stored. The rules infer from other facts whether a request is still open
 * (`rules/requests.ts`): no hook fires when a dialog is answered.
 */
export function learnRequest(facts: Facts, signal: SignalOf<'request-opened'>): Facts {
  const key = requestKey(signal)
  const opened: Request = {
    at: signal.at,
    source: signal.source,
    key,
    for: signal.for,
    tool: signal.tool,
    input: signal.input,
    ...(signal.id !== undefined && { id: signal.id }),
    ...(signal.actor !== undefined && { actor: signal.actor }),
    ...(signal.text !== undefined && { text: signal.text }),
    ...(signal.early && { early: signal.early }),
  }
  const requests = upsert(
    facts.requests,
    (request) => request.key === key,
    (request) => {
      if (!request) return opened
      const newer = opened.at >= request.at ? opened : request
      return request.closedAt === undefined ? newer : { ...newer, closedAt: request.closedAt }
    },
  )
  // An agent that asks again has had its earlier answer: its own oldest request goes first.
  const age = (request: Request): [boolean, number] => [request.actor !== signal.actor, request.at]
  return { ...facts, requests: bounded(requests, REQUESTS_MAX, age) }
}

/** Equal for every report of the same dialog. */
export function requestKey({ actor, tool, id, input }: SignalOf<'request-opened'>): string {
  return `${actor ?? ''}|${tool}|${id ?? input}`
}

/** An elicitation is the only request whose answer is reported. */
export function learnRequestClosed(facts: Facts, signal: SignalOf<'request-closed'>): Facts {
  const requests = facts.requests.map((request) =>
    request.tool === signal.tool && request.actor === signal.actor
      ? { ...request, closedAt: Math.max(request.closedAt ?? signal.at, signal.at) }
      : request,
  )
  return { ...facts, requests }
}
