import type { Session } from '../protocol/session.ts'

/**
 * SPEC FL43. A session whose times were by another clock. When a usage limit resets is by the
 * clock of the agent's service, so it stays.
 */
export function shiftTimes(session: Session, ms: number): Session {
  if (ms === 0) return session
  const { doing, request, limits, loop } = session
  return {
    ...session,
    since: session.since + ms,
    doing: doing && { ...doing, since: doing.since + ms },
    request: request && { ...request, at: request.at + ms },
    limits: limits && { ...limits, at: limits.at + ms },
    loop: loop && { ...loop, until: loop.until === null ? null : loop.until + ms },
  }
}
