import type { Session } from '../../daemon/session.ts'
import { nameOf, plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { ownSession } from './loop-which.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * SPEC PA15. What decides for its user is not for agents to run: not by mistake, not because a text
 * they read said so. One that wants to deceive its user can do worse with the same rights.
 */
export function refuseAgents(
  sessions: readonly Session[],
  command: string,
  env: Env = process.env,
): void {
  const own = ownSession(sessions.filter(({ state }) => state !== 'closed'))
  if (!own && !env.CLAUDECODE && !env.CLAUDE_CODE_SESSION_ID) return
  const who = own ? `the agent in ${plain(nameOf(own), 40)}` : 'an agent'
  throw new BadInput(`vigil ${command} is for its user, and this was run by ${who}`, 1)
}
