import type { Session } from '../protocol/session.ts'
import type { SessionRow } from '../store/store.ts'

/** A session's row in the log: what remains when it is no longer watched. */
export function sessionRowOf(session: Session, now: number): SessionRow {
  const { machine: _, ...body } = session
  const { id, host, agent, state } = session
  const open = state !== 'closed' && session.live
  const parent = session.parent ?? undefined
  return {
    id,
    host,
    agent,
    state,
    firstAt: now,
    lastAt: now,
    open,
    parent,
    body: { ...body, asks: [], live: false },
  }
}
