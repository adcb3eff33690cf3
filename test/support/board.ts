import type { Session } from '../../src/protocol/session.ts'
import type { Machine, StreamEvent } from '../../src/protocol/stream.ts'
import type { BoardEvent, SessionDetails } from '../../src/view/board/board.ts'
import { OWN_MACHINE } from './machines.ts'

/** Events for a board, in the terminal's model and in the page's. */

export const NOW = 1_000_000
const MACHINE: Machine = {
  id: OWN_MACHINE,
  name: 'here',
  version: '1.0.0',
  own: true,
  online: true,
  lastHeardAt: null,
  clockOffsetMs: 0,
  troubles: [],
}

function streamed(...events: readonly StreamEvent[]): BoardEvent {
  return { kind: 'stream', events }
}

/** All sessions, as at the beginning of a stream. */
export function snapshot(sessions: readonly Session[], now = NOW): BoardEvent {
  const machine = { kind: 'machine' as const, now, machine: MACHINE }
  return streamed({ kind: 'snapshot', now, sessions, more: false }, machine)
}

/** Sessions that have changed. */
export function rows(...sessions: readonly (Session | undefined)[]): BoardEvent {
  const known = sessions.filter((session) => session !== undefined)
  return streamed(...known.map((session) => ({ kind: 'session' as const, now: NOW, session })))
}

export function gone(...ids: readonly string[]): BoardEvent {
  return streamed(
    ...ids.map((session) => ({ kind: 'gone' as const, now: NOW, machine: OWN_MACHINE, session })),
  )
}

/** A machine of the fleet, as its rows name it. */
export function machineNews(over: Partial<Machine> & Pick<Machine, 'id'>): BoardEvent {
  return streamed({ kind: 'machine', now: NOW, machine: { ...MACHINE, own: false, ...over } })
}

export function machineGone(machine: string): BoardEvent {
  return streamed({ kind: 'machine-gone', now: NOW, machine })
}

/** One of these sessions, with some fields replaced. */
export function changed(
  sessions: Iterable<Session>,
  id: string,
  over: Partial<Session>,
  now = NOW,
): BoardEvent {
  const known = [...sessions].filter((session) => session.id === id)
  const session = (one: Session) => ({
    kind: 'session' as const,
    now,
    session: { ...one, ...over },
  })
  return streamed(...known.map(session))
}

/** Details as they are loaded for a row. */
export function detailed(
  row: Session,
  over: Partial<SessionDetails> = {},
  now = NOW,
): Extract<BoardEvent, { kind: 'details' }> {
  const nothing = { explanation: null, talk: null, requests: [], loop: null, steps: [], acts: [] }
  return { kind: 'details', details: { id: row.id, row, ...nothing, ...over }, now }
}
