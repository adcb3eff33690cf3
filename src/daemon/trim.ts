import type { Report } from '../core/signal.ts'

/**
 * Prompts and tool output are their user's secrets and may be megabytes; of no text does a verdict
 * need more than this. Calls open at once are told apart by length and first 256 characters of
 * their input; cut alike, they stay apart or alike.
 */
const TEXT_MAX_CHARS = 4_000
/** A screen is read as a whole; the widest terminals hold some 30,000 characters. */
const SCREEN_MAX_CHARS = 40_000
/** What a report may hold in all, so that a million short texts are no way around the limit. */
const REPORT_MAX_CHARS = 200_000
const VALUES_MAX = 20_000
/** Hooks nest six deep; what nests deeper than this was made to break a reader. */
const DEPTH_MAX = 32

/**
 * The report as it is kept and as it is judged: both see the same, so that the log gives every
 * verdict again (SPEC O3).
 */
export function trim(report: Report): Report {
  const max = report.source === 'screen' ? SCREEN_MAX_CHARS : TEXT_MAX_CHARS
  const room = { chars: REPORT_MAX_CHARS, values: VALUES_MAX }
  return trimmed(report, max, 0, room) as Report
}

interface Room {
  chars: number
  values: number
}

function trimmed(value: unknown, max: number, depth: number, room: Room): unknown {
  room.values -= 1
  if (typeof value === 'string') return cut(value, max, room)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX || room.values <= 0) return null
  if (Array.isArray(value)) return value.map((entry) => trimmed(entry, max, depth + 1, room))
  let copy: Record<string, unknown> | undefined
  for (const [key, entry] of Object.entries(value)) {
    const kept = trimmed(entry, max, depth + 1, room)
    if (kept === entry) continue
    copy ??= { ...value }
    copy[key] = kept
  }
  return copy ?? value
}

function cut(text: string, max: number, room: Room): string {
  const kept = Math.min(max, Math.max(room.chars, 0))
  room.chars -= Math.min(text.length, max)
  return text.length > kept ? `${text.slice(0, kept)}…` : text
}
