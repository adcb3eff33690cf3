import type { TitleReading } from '../agent.ts'

/**
 * The state that the terminal client puts into its terminal's title: a turning Braille sign while it
 * works, `[ ! ] Action Required` while it asks (the sign blinks), the project's name else. The title
 * tells nothing of dialogs at the start, of the question about a plan, or of what runs in the
 * background.
 */
export function readTitle(title: string): TitleReading | undefined {
  if (WORKING.test(title)) return { status: 'working', said: 'working', turnOnly: true }
  if (ASKING.test(title))
    return { status: 'waiting', said: 'Action Required', for: 'permission', turnOnly: true }
  // The same client draws all three; a title without a sign is anybody's.
  return PLAIN.test(title) ? { status: 'idle', said: 'ready', turnOnly: true } : undefined
}

const WORKING = /^[\u2801-\u28ff] \S/
const ASKING = /^\[ [!.] \] Action Required\b/
const PLAIN = /^[^\u2801-\u28ff[\s]/
