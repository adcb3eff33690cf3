import type { Client } from '../../daemon/client/client.ts'
import { nameOf, plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { ownSession } from './loop-which.ts'

/**
 * SPEC DR14. What gives a way in, or decides for its user, is for a person's own terminal. It keeps
 * an agent from doing so by the way; one that means to can go around it (see SECURITY.md).
 */
export async function refuseAgent(client: Client, command: string): Promise<void> {
  const { sessions } = await client.sessions()
  const own = ownSession(sessions.filter(({ state }) => state !== 'closed'))
  if (!own && !process.env.CLAUDECODE) return
  const who = own ? `the agent in ${plain(nameOf(own), 60)}` : 'an agent'
  throw new BadInput(`${command}: ${who} runs this; run it in a terminal of your own`, 1)
}
