import type { Session } from '../../src/daemon/session.ts'
import { drawFleet } from '../../src/surfaces/cli/fleet.ts'
import { fleetFigures } from '../../src/surfaces/cli/statusline-line.ts'
import { watchLine } from '../../src/surfaces/cli/watch.ts'
import { explained } from '../../src/surfaces/cli/why.ts'
import { messageOf } from '../../src/surfaces/notify/message.ts'
import type { Shape } from '../../src/view/shape.ts'
import { segmentOf, summaryOf } from '../../src/view/summary.ts'

/** A surface, brought down to the text a person reads on it. A new one gets its line here. */
export interface Saying {
  readonly name: string
  /** What it tells of a session, by the names of the one description. */
  readonly tells: readonly (keyof Shape)[]
  readonly of: (session: Session, now: number) => string
}

const plainly = (_: unknown, text: string) => text
/** Wide enough that nothing is cut off. */
const COLUMNS = 400

export const SAYINGS: readonly Saying[] = [
  {
    name: 'vigil status',
    tells: ['mark', 'glyph', 'word', 'age', 'name', 'what', 'loop'],
    of: (session, now) => drawFleet([session], now, COLUMNS, plainly)[2] ?? '',
  },
  {
    name: 'vigil watch',
    tells: ['mark', 'glyph', 'word', 'loop'],
    of: (session, now) => watchLine(now, session.id, session, plainly),
  },
  {
    name: 'vigil why',
    tells: ['glyph', 'word', 'age', 'name', 'loop'],
    of: (session, now) => {
      const nothing = { grounds: [], wouldChange: [], nextLook: null, heard: {}, history: [] }
      return explained({ session, ...nothing }, now, plainly).join('\n')
    },
  },
  {
    name: 'a notification',
    tells: ['glyph', 'word', 'name'],
    of: (session, now) => messageOf('id', now, [session], { hideSecrets: false }).title,
  },
]

/** Lists of sessions: one line each, in the order in which they are shown. */
export const LISTS: Readonly<
  Record<string, (sessions: readonly Session[], now: number) => readonly string[]>
> = {
  'vigil status': (sessions, now) => drawFleet(sessions, now, COLUMNS, plainly).slice(2),
}

/** All sessions in figures: `⏸ 2 waiting`, or `⏸2`. */
export const FIGURES: Readonly<Record<string, (sessions: readonly Session[]) => string>> = {
  'vigil status': (sessions) => drawFleet(sessions, 0, COLUMNS, plainly)[0] ?? '',
  'the status line': fleetFigures,
  'tmux’s status bar': (sessions) => segmentOf(summaryOf(sessions)),
}
