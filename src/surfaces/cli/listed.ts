import type { Session } from '../../protocol/session.ts'

export const LOCAL_OPTION = ['--local', 'only sessions of this machine'] as const

/** SPEC FL87. The sessions that a list shows. */
export function listedOf(sessions: readonly Session[], local: boolean): readonly Session[] {
  return local ? sessions.filter(({ own }) => own) : sessions
}
