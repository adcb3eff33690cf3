import { talkIn } from '../agents/claude/talk.ts'
import type { Session, Talk } from '../protocol/session.ts'
import { transcriptEnd } from '../sources/transcript-file.ts'

/** The last messages are in here, or are too long to be read in a terminal. */
const TAIL_MAX_BYTES = 256 * 1024

/** What the session said last and wants to do; nothing where there is no transcript to read. */
export async function talkOf({ transcript, request }: Session): Promise<Talk | null> {
  if (transcript === null) return null
  const { actor, tool } = request ?? {}
  const lines = transcriptEnd(transcript, TAIL_MAX_BYTES)
  if (!lines) return null
  const talk = talkIn(lines, tool)
  if (actor === undefined) return talk
  const path = `${transcript.replace(/\.jsonl$/, '')}/subagents/agent-${actor}.jsonl`
  const asking = transcriptEnd(path, TAIL_MAX_BYTES)
  return asking ? { ...talk, call: talkIn(asking, tool).call } : talk
}
