import { setTimeout as sleep } from 'node:timers/promises'
import { agentOf } from '../../agents/index.ts'
import { transcriptEnd } from '../../sources/transcript-file.ts'

/** A message is a few pages; anything before the last megabyte of a transcript is older. */
const TAIL_MAX_BYTES = 1024 * 1024

/** Lines are written up to 0.3 s after their event (`measured`); the hook waits 2 s at most. */
const WRITTEN_WITHIN_MS = 800
const LOOK_MS = 50

interface Told {
  readonly agent: unknown
  readonly transcript: string | undefined
}

/** The agent's last message in its transcript; undefined where there is none. */
export async function lastWordsIn({ agent: id, transcript }: Told): Promise<string | undefined> {
  const { loop, logs } = agentOf(id) ?? {}
  if (transcript === undefined || !loop || !logs) return undefined
  for (const giveUpAt = performance.now() + WRITTEN_WITHIN_MS; ; await sleep(LOOK_MS)) {
    const message = loop.lastMessageIn(transcriptEnd(logs, transcript, TAIL_MAX_BYTES) ?? [])
    if (message !== undefined || performance.now() > giveUpAt) return message
  }
}
