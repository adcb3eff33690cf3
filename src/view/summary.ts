import type { Session } from '../protocol/session.ts'
import { type Heard, isStale } from './freshness.ts'
import { GLYPHS, type Glyphs } from './glyphs.ts'
import { type Colour, colourOf } from './session.ts'

/** SPEC VW7. How many sessions of each kind there are; each session has one kind. */
export interface Summary {
  readonly waiting: number
  readonly error: number
  readonly stuck: number
  /** Idle, and not seen since. */
  readonly unread: number
  readonly working: number
  readonly background: number
  readonly idle: number
  readonly closed: number
  readonly starting: number
  readonly unknown: number
  /** SPEC FL82. Open when last heard of; of which other kind they are now is not known. */
  readonly unreachable: number
}

type Counted = Pick<Session, 'state' | 'unread'> & Heard

export function summaryOf(sessions: Iterable<Counted>): Summary {
  const summary = { ...NONE }
  for (const session of sessions) summary[kindOf(session)] += 1
  return summary
}

const SUMMARIES = new WeakMap<ReadonlyMap<string, Counted>, Summary>()

/** Of a map that is never changed, only replaced: its sessions are counted once. */
export function summaryOfAll(sessions: ReadonlyMap<string, Counted>): Summary {
  const summary = SUMMARIES.get(sessions) ?? summaryOf(sessions.values())
  SUMMARIES.set(sessions, summary)
  return summary
}

const NONE = {
  waiting: 0,
  error: 0,
  stuck: 0,
  unread: 0,
  working: 0,
  background: 0,
  idle: 0,
  closed: 0,
  starting: 0,
  unknown: 0,
  unreachable: 0,
}

function kindOf(counted: Counted): keyof Summary {
  const { state, unread } = counted
  if (isStale(counted)) return 'unreachable'
  if (state === 'idle') return unread ? 'unread' : 'idle'
  return state
}

/**
 * SPEC VW8. `◆2 ✗1 ►5`: sessions that need the user and sessions that work; empty if there are
 * none.
 */
export function segmentOf(summary: Summary, glyphs: Glyphs = GLYPHS.emoji): string {
  const { waiting, error, stuck, unread, working, background } = summary
  const parts: readonly (readonly [string, number])[] = [
    [glyphs.waiting, waiting],
    [glyphs.error, error],
    [glyphs.stuck, stuck],
    [glyphs.unread, unread],
    [glyphs.working, working + background],
  ]
  return parts
    .filter(([, count]) => count > 0)
    .map(([glyph, count]) => `${glyph}${count}`)
    .join(' ')
}

export interface SummaryFigure {
  readonly glyph: string
  readonly count: number
  readonly word: string
  readonly colour: Colour
}

/** SPEC VW7. The same in words, most urgent first: `◆ 2 waiting`, `✗ 1 in error`. */
export function figuresOf(
  summary: Summary,
  glyphs: Glyphs = GLYPHS.emoji,
): readonly SummaryFigure[] {
  const { waiting, error, stuck, unread, working, background, idle, closed } = summary
  const figure = (state: Session['state'], count: number, word: string) => ({
    glyph: glyphs[state],
    count,
    word,
    colour: colourOf({ state }),
  })
  return [
    figure('waiting', waiting, 'waiting'),
    figure('error', error, 'in error'),
    figure('stuck', stuck, 'stuck'),
    figure('working', working + background, 'working'),
    figure('idle', idle + unread, 'idle'),
    figure('starting', summary.starting, 'starting'),
    figure('unknown', summary.unknown, 'unknown'),
    {
      glyph: glyphs.unreachable,
      count: summary.unreachable,
      word: 'unreachable',
      colour: 'grey',
    },
    figure('closed', closed, 'closed'),
  ]
}
