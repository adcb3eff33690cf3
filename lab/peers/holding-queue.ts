import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { type Entry, entryOf, type Hook, hookOf } from './lines.ts'

/**
 * claude-state's constants: an event waits until it is this old, and the queue is read this often.
 */
const HOLD_MS = 500
const DRAIN_EVERY_MS = 50

export interface Held {
  /** When it is taken out of the queue. */
  readonly t: number
  /** Its own time. */
  readonly at: number
  readonly hook?: Hook
  readonly entry?: Entry
  /** Keys are typed into the terminal that judges: they are not held. */
  readonly enter?: true
}

/** The order in which claude-state handles events: by each event's own time, 500 ms late. */
export function heldOf(lines: readonly RecordedLine[]): readonly Held[] {
  const start = lines[0]?.t ?? 0
  return lines.flatMap((line) => held(line, start)).toSorted((a, b) => a.t - b.t || a.at - b.at)
}

function held(line: RecordedLine, start: number): Held[] {
  const hook = hookOf(line)
  if (hook) return [{ t: drained(line.t, line.t, start), at: line.t, hook }]
  const entry = entryOf(line)
  if (entry) {
    const at = Date.parse(entry.timestamp ?? '') || line.t
    return [{ t: drained(at, line.t, start), at, entry }]
  }
  const typed = line.source === 'action' && (line.what === 'submit' || line.value === 'Enter')
  return typed ? [{ t: line.t, at: line.t, enter: true }] : []
}

/** The first read of the queue at which the event is there and old enough. */
function drained(at: number, arrived: number, start: number): number {
  const due = Math.max(at + HOLD_MS, arrived)
  return start + Math.ceil((due - start) / DRAIN_EVERY_MS) * DRAIN_EVERY_MS
}
