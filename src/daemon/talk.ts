import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { type Talk, talkIn } from '../agents/claude/talk.ts'
import type { Session } from './session.ts'

/** The last messages are in here, or are too long to be read in a terminal. */
const TAIL_MAX_BYTES = 256 * 1024

/** What the session said last and wants to do; nothing where there is no transcript to read. */
export async function talkOf({ transcript, request }: Session): Promise<Talk | null> {
  if (transcript === null) return null
  const { actor, tool } = request ?? {}
  const lines = await tailOf(transcript)
  if (!lines) return null
  const talk = talkIn(lines, tool)
  if (actor === undefined) return talk
  const asking = await tailOf(
    `${transcript.replace(/\.jsonl$/, '')}/subagents/agent-${actor}.jsonl`,
  )
  return asking ? { ...talk, call: talkIn(asking, tool).call } : talk
}

async function tailOf(path: string): Promise<readonly string[] | undefined> {
  try {
    // An agent names its transcript: opening a pipe that nobody writes to would not come back.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await file.stat()
    if (!stat.isFile()) return undefined
    const { size } = stat
    const from = Math.max(0, size - TAIL_MAX_BYTES)
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.allocUnsafe(Math.max(1, size - from)),
      position: from,
    })
    return buffer.subarray(0, bytesRead).toString('utf8').split('\n')
  } catch {
    return undefined
  }
}
