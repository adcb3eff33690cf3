import type { TitleReading } from '../agent.ts'

/**
 * The state that the terminal client puts into its terminal's title: a turning Braille sign while
 * it works, `[ ! ] Action Required` while it asks (the sign blinks), otherwise the project's name.
 * The title shows no dialogs of the start, no question about a plan and no background work.
 */
export function readTitle(title: string): TitleReading | undefined {
  const reading = stateIn(title)
  const idBegins = THREAD_AT_END.exec(title)?.[1]
  return reading && idBegins !== undefined ? { ...reading, idBegins } : reading
}

/** SPEC CX66. `… | 01a1e513-fe32-7503-973c-f2477...`: 29 characters, if its user put it there. */
export const THREAD_AT_END = / \| ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{5,12})(?:\.{3}|…)?$/

function stateIn(title: string): TitleReading | undefined {
  if (WORKING.test(title)) return { status: 'working', said: 'working', turnOnly: true }
  if (ASKING.test(title))
    return { status: 'waiting', said: 'Action Required', for: 'permission', turnOnly: true }
  // The same client draws all three; a title without a sign may be another program's.
  return PLAIN.test(title) ? { status: 'idle', said: 'ready', turnOnly: true } : undefined
}

const WORKING = /^[\u2801-\u28ff] \S/
const ASKING = /^\[ [!.] \] Action Required\b/
const PLAIN = /^[^\u2801-\u28ff[\s]/
