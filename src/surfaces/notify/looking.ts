import type { Env } from '../../agents/agent.ts'
import { PRESENT_MS } from '../../core/limits.ts'
import type { Session } from '../../protocol/session.ts'
import { clientsOf } from './tmux-clients.ts'

/** A notification does not wait longer than this for a server. */
const ANSWER_MAX_MS = 500

/**
 * SPEC NO4. Which of these sessions a user is looking at: asks each tmux server once, and only
 * before a notification. Outside tmux it is not known.
 */
export async function lookedAt(
  sessions: readonly Session[],
  now: number,
  env: Env,
): Promise<ReadonlySet<string>> {
  const servers = Map.groupBy(
    sessions.filter(({ tmuxPane }) => tmuxPane !== null),
    ({ tmuxSocket }) => tmuxSocket,
  )
  servers.delete(null)
  const seen = await Promise.all(
    [...servers].map(async ([socket, inside]) => {
      const signal = AbortSignal.timeout(ANSWER_MAX_MS)
      const clients = await clientsOf(socket ?? '', env, signal)
      const panes = clients
        .filter(({ isFocused, activeAt }) => isFocused && now - activeAt < PRESENT_MS)
        .map(({ pane }) => pane)
      return inside.filter(({ tmuxPane }) => tmuxPane !== null && panes.includes(tmuxPane))
    }),
  )
  return new Set(seen.flat().map(({ id }) => id))
}
