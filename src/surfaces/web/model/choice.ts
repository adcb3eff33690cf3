import type { Session } from '../../../protocol/session.ts'
import type { Row } from '../../../view/rows.ts'
import type { State } from './state.ts'

export function sessionsIn(rows: readonly Row[]): readonly Session[] {
  return rows.flatMap((row) => (row.kind === 'session' ? row.session : []))
}

/** The session that keys are about. */
export function selectedOf(state: State): Session | undefined {
  return state.selected === null ? undefined : state.sessions.get(state.selected)
}
