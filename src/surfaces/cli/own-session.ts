import { AGENTS } from '../../agents/index.ts'
import { ancestors } from '../../platform/ancestors.ts'
import type { Session } from '../../protocol/session.ts'

/** The sessions that the variables of agents name. */
export function sessionsNamedIn(env: NodeJS.ProcessEnv): string[] {
  return AGENTS.flatMap(({ variables }) => (variables.session && env[variables.session]) || [])
}

/**
 * By the parent processes, or else by a variable that an agent sets. A variable may name any
 * session; but if one process has several sessions, only the variable tells them apart.
 */
export function ownSession(
  open: readonly Session[],
  env: NodeJS.ProcessEnv = process.env,
  pids: () => readonly number[] = ancestors,
): Session | undefined {
  const named = sessionsNamedIn(env)
  // Another machine may have a process of the same number.
  const here = open.filter(({ own }) => own)
  const isNamed = ({ id }: Session) => named.includes(id)
  for (const pid of pids()) {
    const around = here.filter((session) => session.pid === pid)
    if (around.length > 0)
      return around.find(isNamed) ?? around.toSorted((a, b) => b.since - a.since)[0]
  }
  return here.find(isNamed)
}
