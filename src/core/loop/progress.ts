import { TEXT_MAX_CHARS, UNCHANGED_TURNS_EACH } from '../limits.ts'
import type { Streaks } from './run.ts'
import { oneLine } from './text.ts'

/** What a turn showed about progress. */
export interface TurnSeen {
  readonly message: string
  readonly failing?: string
  readonly changed: boolean
}

/** SPEC LP15. The streaks with this turn counted. */
export function streaksAfter(before: Streaks, { message, failing, changed }: TurnSeen): Streaks {
  const said = fingerprint(message)
  const failed = fingerprint(failing ?? '')
  return {
    message: said,
    sameMessage: longer(said, before.message, before.sameMessage),
    failing: failed,
    sameFailing: longer(failed, before.failing, before.sameFailing),
    unchanged: changed ? 0 : before.unchanged + 1,
  }
}

/**
 * SPEC LP15. Why these streaks are no progress. Each of the three is enough: an agent that has
 * given up still edits a file, and an agent that repeats a failing command words it differently
 * each time.
 */
export function noProgress(
  streaks: Streaks,
  patience: number,
  failing = 'a command',
): string | undefined {
  if (patience === 0) return undefined
  const { sameMessage, sameFailing, unchanged } = streaks
  // A single message is no repetition, however short the patience.
  if (sameMessage >= Math.max(2, patience)) return `the same message ${sameMessage} turns in a row`
  if (sameFailing >= patience)
    return `${oneLine(failing, TEXT_MAX_CHARS)} failed at the end of ${turns(sameFailing)}`
  if (unchanged >= patience * UNCHANGED_TURNS_EACH) return `no file changed in ${turns(unchanged)}`
  return undefined
}

function turns(count: number): string {
  return count === 1 ? 'a turn' : `${count} turns in a row`
}

/** An unknown or empty value is no repetition. */
function longer(now: string, before: string, count: number): number {
  if (now === '') return 0
  return now === before ? count + 1 : 1
}

/**
 * Equal for texts that differ only in white space; otherwise different, with a chance of 1 in 2³²
 * for a collision among texts of one length. Stored in place of the text: a message may be a
 * megabyte.
 */
export function fingerprint(text: string): string {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  if (words === '') return ''
  // FNV-1a, on UTF-16 units.
  let hash = 0x811c9dc5
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words.charCodeAt(i), 0x01000193)
  return `${words.length}.${(hash >>> 0).toString(36)}`
}
