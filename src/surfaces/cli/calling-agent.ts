import { AGENTS } from '../../agents/index.ts'
import { foldersOf } from '../../home/folders.ts'
import { ancestors, argvOf } from '../../platform/ancestors.ts'
import type { Session } from '../../protocol/session.ts'
import { ownSession } from './own-session.ts'
import { reachIfRunning } from './reach.ts'

/** The agent in whose shell this command runs. */
export interface CallingAgent {
  /** Undefined if vigil does not know the session. */
  readonly session: Session | undefined
}

/**
 * SPEC WD12. Recognised by the daemon's sessions, by variables, or by the parent programs: any of
 * them is enough.
 */
export async function agentAround(env = process.env): Promise<CallingAgent | undefined> {
  const pids = ancestors()
  const named = ownSession(await openSessions(), env, () => pids)
  // A variable may name any session: if that session's process is known, it must be a parent of
  // this process.
  const isOwn = named && (named.pid === null || pids.includes(named.pid))
  const session = isOwn ? named : undefined
  if (named || AGENTS.some(({ variables }) => variables.marks.some((name) => env[name])))
    return { session }
  return pids.some((pid) => isOfAgent(argvOf(pid))) ? { session } : undefined
}

/** A client, its wrapper or its helper: all of them run within an agent. */
function isOfAgent(argv: readonly string[]): boolean {
  return AGENTS.some(({ recognise }) => recognise(argv) !== undefined)
}

async function openSessions(): Promise<readonly Session[]> {
  try {
    const client = await reachIfRunning(foldersOf())
    const { sessions } = (await client?.sessions()) ?? { sessions: [] }
    return sessions.filter(({ state }) => state !== 'closed')
  } catch {
    return []
  }
}
