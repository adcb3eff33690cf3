import { LONG_TOOL_MS, LONG_TOOL_TIMES } from '../core/limits.ts'
import type { Session } from '../protocol/session.ts'
import { isStale } from './freshness.ts'
import { GLYPHS, type Glyphs } from './glyphs.ts'
import { loopWordsOf, type TimeOfDay } from './loop.ts'
import {
  ageOf,
  type Colour,
  colourOf,
  type Describable,
  detailOf,
  glyphOf,
  heardWords,
  needsUser,
  plain,
  rankOf,
  wordsOf,
} from './session.ts'

/** How a state looks: everything that follows from a verdict without its session. */
export interface StateLook {
  readonly glyph: string
  readonly word: string
  readonly colour: Colour
}

/** SPEC VW1. Everything that surfaces show of a session, in text that is safe for a terminal. */
export interface Shape extends StateLook {
  /** Lower ranks come first. */
  readonly rank: number
  /** How long it has been in its state, as far as that is known. */
  readonly age: string
  readonly since: number
  readonly name: string
  /** `project`, or `project@branch`. */
  readonly where: string
  /** What the session asks, does or left running; otherwise the reason of its state. */
  readonly what: string
  /** `on build-7`, for a session of another machine. */
  readonly machine: string | null
  /** `last heard 3 min ago`, while its machine is not heard from; `what` begins with it. */
  readonly heard: string | null
  /** `detached`, while it goes on without a terminal. */
  readonly detached: string | null
  readonly loop: string | null
  /** How much of its context is left. */
  readonly context: string | null
  /** Finished to-dos, and running tasks. */
  readonly tasks: string | null
  readonly unread: boolean
  /** Placed before the session while it is unread; otherwise a blank. */
  readonly mark: string
  readonly needs: boolean
}

const NAME_MAX_COLUMNS = 80
const WHERE_MAX_COLUMNS = 80
const WHAT_MAX_COLUMNS = 200

export function shapeOf(
  session: Session,
  now: number,
  timeOfDay: TimeOfDay,
  glyphs: Glyphs = GLYPHS.emoji,
): Shape {
  return {
    ...lookOf(session, glyphs),
    rank: rankOf(session),
    age: ageOf((session.stale ?? now) - session.since),
    since: session.since,
    name: plain(session.name, NAME_MAX_COLUMNS),
    where: whereOf(session),
    what: whatOf(session, now),
    machine: machineOf(session),
    heard: heardWords(session, now),
    detached: session.detached ? DETACHED : null,
    loop: loopWordsOf(session, timeOfDay) || null,
    context: contextOf(session),
    tasks: tasksOf(session),
    unread: session.unread,
    mark: session.unread ? glyphs.unread : ' ',
    needs: needsUser(session),
  }
}

const DETACHED = 'detached'

const MACHINE_MAX_COLUMNS = 40

/** SPEC FL84. Only sessions of other machines name their machine. */
function machineOf({ own, host }: Pick<Describable, 'own' | 'host'>): string | null {
  return own === false && host ? `on ${plain(host, MACHINE_MAX_COLUMNS)}` : null
}

/** SPEC VW31, FL84. Before the text of a row: `on build-7 · detached · loop 3/10 · `; or empty. */
export function prefixOf(shown: Describable, timeOfDay: TimeOfDay): string {
  const detached = shown.detached ? DETACHED : ''
  const parts = [machineOf(shown) ?? '', detached, loopWordsOf(shown, timeOfDay)]
  return parts.map((part) => part && `${part} · `).join('')
}

function whatOf(session: Session, now: number): string {
  const what = detailOf(session) || plain(session.reason, WHAT_MAX_COLUMNS)
  const parts = [heardWords(session, now), longToolOf(session, now), what]
  return plain(parts.filter((part) => part !== null).join(' · '), WHAT_MAX_COLUMNS)
}

/** SPEC VW30. A tool that runs far longer than usual in this folder. The state does not change. */
export function longToolOf(session: Session, now: number): string | null {
  const { doing, usualMs } = session
  if (!doing?.tool || usualMs === null || isStale(session)) return null
  const ms = now - doing.since
  if (ms <= LONG_TOOL_MS || ms <= usualMs * LONG_TOOL_TIMES) return null
  const tool = plain(doing.tool, TOOL_MAX_COLUMNS)
  return `unusually long: ${tool} ${ageOf(ms)}, usually ${ageOf(usualMs)} in this folder`
}

const TOOL_MAX_COLUMNS = 30

export function lookOf(shown: Describable, glyphs: Glyphs = GLYPHS.emoji): StateLook {
  return { glyph: glyphOf(shown, glyphs), word: wordsOf(shown), colour: colourOf(shown) }
}

/** If no folder is known, the host stands in its place. */
function whereOf({ project, branch, host }: Session): string {
  if (project === null) return plain(host, WHERE_MAX_COLUMNS)
  return plain(branch === null ? project : `${project}@${branch}`, WHERE_MAX_COLUMNS)
}

function contextOf({ contextUsedPercent: used }: Session): string | null {
  return used === null ? null : `${Math.round(Math.min(100, Math.max(0, 100 - used)))} % left`
}

function tasksOf({ todosDone, todosTotal, tasks }: Session): string | null {
  const parts = [
    ...(todosTotal ? [`${todosDone ?? 0}/${todosTotal} done`] : []),
    ...(tasks.length > 0 ? [`${tasks.length} running`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : null
}

/** The session needs nothing from the user, and nothing runs. */
export function isQuiet({ needs, colour }: Shape): boolean {
  return !needs && (colour === 'green' || colour === 'grey')
}

/** The session's folder, without what its name says already. */
export function whereBeside({ name, where }: Shape): string {
  return where.startsWith(name) ? where.slice(name.length) : where
}
