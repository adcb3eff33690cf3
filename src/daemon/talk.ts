import { agentOf, layoutOf } from '../agents/index.ts'
import type { Session, Talk } from '../protocol/session.ts'
import { transcriptEnd } from '../sources/transcript-file.ts'

/** Holds the last messages, unless they are too long to read in a terminal. */
const TAIL_MAX_BYTES = 256 * 1024

/** The session's last messages and its intended call; null where there is no log to read. */
export async function talkOf(session: Session): Promise<Talk | null> {
  const { agent: id, transcript, request, cwd } = session
  const agent = agentOf(id)
  if (transcript === null || !agent?.talk || !agent.logs) return null
  const { actor, tool } = request ?? {}
  const lines = transcriptEnd(agent.logs, transcript, TAIL_MAX_BYTES)
  if (!lines) return null
  const { said, call } = agent.talk(lines, tool)
  const actorLog = actor === undefined ? undefined : agent.logs.logOfActor?.(transcript, actor)
  const asking =
    actorLog === undefined ? undefined : transcriptEnd(agent.logs, actorLog, TAIL_MAX_BYTES)
  const asked = asking ? agent.talk(asking, tool).call : call
  const folder = cwd !== null && { folder: cwd }
  return { said, call: asked && { ...asked, layout: layoutOf(id, asked), ...folder } }
}
