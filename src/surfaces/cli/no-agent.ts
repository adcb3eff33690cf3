import type { Session } from '../../daemon/session.ts'
import { nameOf, plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { ownSession } from './loop-which.ts'

/**
 * SPEC AN9, DR14, PA15. What decides for its user is not for agents to run: not by mere habit, not
 * since a text they read said so. Who means to can: it runs as its user (SECURITY.md).
 */
export function refuseAgents(sessions: readonly Session[], what: string, env = process.env): void {
  const own = ownSession(
    sessions.filter(({ state }) => state !== 'closed'),
    env,
  )
  if (!own && !env.CLAUDECODE && !env.CLAUDE_CODE_SESSION_ID) return
  const name = own ? ` (${plain(nameOf(own), 40)})` : ''
  throw new BadInput(`this runs within an agent${name}: only its user ${what}`)
}
