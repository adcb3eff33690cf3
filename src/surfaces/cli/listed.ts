import type { Session } from '../../protocol/session.ts'

export const LOCAL_OPTION = ['--local', 'only sessions of this machine'] as const

/** SPEC FL87. The sessions that a list shows. */
export function listedOf(sessions: readonly Session[], local: boolean): readonly Session[] {
  return local ? sessions.filter(({ own }) => own) : sessions
}

/** Printed if there are no sessions: says so, and how to see one. */
export const NO_SESSIONS: readonly string[] = [
  'vigil found no running agent on this machine.',
  '',
  '  vigil demo       try vigil on a dozen simulated agents',
  '  vigil run        start an agent with vigil’s hooks',
  '  vigil install    let every session report to vigil',
]
