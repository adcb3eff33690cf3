import type { Report } from '../core/signal.ts'

/**
 * Prompts and tool output are their user's secrets and may be megabytes; no verdict needs more of a
 * text than this. Simultaneous calls differ in the length or the first 256 characters of their
 * input; cut in the same way, they stay different or equal.
 */
const TEXT_MAX_CHARS = 4_000
/** A screen is read as a whole; the widest terminals hold about 30,000 characters. */
const SCREEN_MAX_CHARS = 40_000
/** The limit of a whole report, so that a million short texts do not circumvent it. */
const REPORT_MAX_CHARS = 200_000
const VALUES_MAX = 20_000
/** Hooks nest six deep; deeper nesting is meant to break a reader. */
const DEPTH_MAX = 32

/**
 * The report in the form that is stored and judged: both are the same, so that the log reproduces
 * every verdict (SPEC O3).
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
