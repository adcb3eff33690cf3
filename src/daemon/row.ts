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

/**
 * The last logged row, perhaps from an earlier version, which lacked some fields. SPEC MA3. What is
 * in this log is this machine's, whatever its id was then.
 */
export function loggedSession(body: unknown, machine: string): Session {
  const known = body as Omit<Session, keyof typeof FIELDS_ADDED_LATER | 'name'>
  const name = known.title ?? known.project ?? known.id
  return { ...FIELDS_ADDED_LATER, name, ...known, machine }
}

/** Fields that earlier versions did not store. */
const FIELDS_ADDED_LATER = {
  asks: [],
  prompt: null,
  reply: null,
  usualMs: null,
  detached: false,
  attach: null,
  limits: null,
  stale: null,
}
