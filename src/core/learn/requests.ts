import type { Facts, Request } from '../facts.ts'
import { REQUESTS_MAX } from '../limits.ts'
import type { SignalOf } from '../signal.ts'
import { bounded, upsert } from './mark.ts'

/**
 * Only the opening is kept. Whether a request is still open is read off other facts when judging
 * (`rules/requests.ts`), because nothing tells that a dialog was answered: no hook fires.
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
  // Who asks again has been answered before: the asker's own oldest goes first.
  const age = (request: Request): [boolean, number] => [request.actor !== signal.actor, request.at]
  return { ...facts, requests: bounded(requests, REQUESTS_MAX, age) }
}

/** The same for every report of one and the same dialog. */
export function requestKey({ actor, tool, id, input }: SignalOf<'request-opened'>): string {
  return `${actor ?? ''}|${tool}|${id ?? input}`
}

/** An elicitation is the one request whose answer is told. */
export function learnRequestClosed(facts: Facts, signal: SignalOf<'request-closed'>): Facts {
  const requests = facts.requests.map((request) =>
    request.tool === signal.tool && request.actor === signal.actor
      ? { ...request, closedAt: Math.max(request.closedAt ?? signal.at, signal.at) }
      : request,
  )
  return { ...facts, requests }
}
