import { needOf } from '../core/loop/need.ts'
import type { LoopFacet } from '../core/signal.ts'
import { blanked } from '../core/unseen.ts'
import type { Doing, State, TaskFacet } from '../core/verdict.ts'
import { stateWords } from '../core/words.ts'
import type { Session } from '../protocol/session.ts'
import { type Heard, isStale } from './freshness.ts'
import { GLYPHS, type Glyphs } from './glyphs.ts'
import { planTitle } from './plan.ts'

/** What can be described in words: a verdict, or a session from the daemon. */
export interface Describable extends Heard {
  readonly state: State
  readonly typing: boolean
  readonly for?: string | null
  readonly after?: string | null
  readonly cause?: string | null
  readonly how?: string | null
  readonly doing?: Doing | null
  readonly request?: { readonly text?: string } | null
  readonly tasks: readonly TaskFacet[]
  readonly loop?: LoopFacet | null
  readonly detached?: boolean
  /** Whether it runs on this machine, and what its machine is called. */
  readonly own?: boolean
  readonly host?: string
  readonly prompt?: string | null
  readonly reply?: string | null
}

/** How a verdict is shown, the same on every surface. */
export type Colour = 'red' | 'yellow' | 'green' | 'blue' | 'magenta' | 'grey'

interface Standing {
  readonly colour: Colour
  /** Lower ranks need the user first. */
  readonly rank: number
}

const STANDINGS: Readonly<Record<State, Standing>> = {
  waiting: { colour: 'yellow', rank: 0 },
  error: { colour: 'red', rank: 1 },
  stuck: { colour: 'magenta', rank: 2 },
  idle: { colour: 'green', rank: 4 },
  working: { colour: 'blue', rank: 5 },
  background: { colour: 'blue', rank: 6 },
  starting: { colour: 'grey', rank: 7 },
  unknown: { colour: 'grey', rank: 8 },
  closed: { colour: 'grey', rank: 9 },
}

/** An unread idle session comes before working sessions, a read one after them. */
const IDLE_READ_RANK = 7
const IDLE_UNREAD_RANK = 3
/** SPEC FL82. After every open session that is known, before the closed ones, which lists fold. */
const STALE_RANK = 8.5

export function glyphOf(
  shown: Pick<Describable, 'state' | 'stale'>,
  glyphs: Glyphs = GLYPHS.emoji,
): string {
  return isStale(shown) ? glyphs.unreachable : glyphs[shown.state]
}

export function colourOf(shown: Pick<Describable, 'state' | 'stale'>): Colour {
  return isStale(shown) ? 'grey' : STANDINGS[shown.state].colour
}

/** The agent names causes and tools, and the names may have any length. */
const WORDS_MAX_COLUMNS = 40
const DETAIL_MAX_COLUMNS = 200

/** The state in words: `waiting for permission`, `idle after work`, `working: Bash`. */
export function wordsOf(shown: Describable): string {
  const words = plain(stateWords(shown), WORDS_MAX_COLUMNS)
  return shown.typing ? `${words}, typing` : words
}

/** SPEC VW28. The state in at most fifteen columns; no two states look alike. */
export function briefWordsOf(shown: Describable): string {
  if (shown.for) return `${plain(shown.for, WORDS_MAX_COLUMNS)}?`
  if (shown.after) return `${shown.state}: ${plain(shown.after, WORDS_MAX_COLUMNS)}`
  return plain(stateWords(shown), WORDS_MAX_COLUMNS)
}

/**
 * What the session asks, does or left running, why its loop needs the user, or its last message.
 */
export function detailOf(shown: Describable): string {
  const { doing, tasks } = shown
  const running = tasks.map((task) => task.label ?? task.what).join(', ')
  const left = running || needOf(shown.loop) || saidOf(shown)
  return plain(askedOf(shown) ?? doing?.label ?? left, DETAIL_MAX_COLUMNS)
}

/** The columns that a prompt gets before the reply. */
const PROMPT_MAX_COLUMNS = 40

/** SPEC VW24. `> fix the tests · All 12 pass.`; for an error the text on the screen. */
function saidOf({ state, prompt, reply }: Describable): string {
  if (state === 'waiting' || state === 'starting' || state === 'unknown') return ''
  if (!prompt || (state === 'error' && reply)) return reply ?? ''
  const asked = plain(prompt, reply ? PROMPT_MAX_COLUMNS : DETAIL_MAX_COLUMNS)
  return reply ? `> ${asked} · ${reply}` : `> ${asked}`
}

/** The request in the agent's words; for a plan its title. */
export function askedOf(shown: Pick<Describable, 'for' | 'request'>): string | undefined {
  const text = shown.request?.text
  return text && shown.for === 'plan' ? planTitle(text) : text
}

/** SPEC VW2, VW3. Most urgent first; within a kind the session that has waited longest. */
export function byAttention(a: Needy, b: Needy): number {
  return rankOf(a) - rankOf(b) || a.since - b.since || byCode(a.id, b.id)
}

type Needy = Pick<Session, 'id' | 'state' | 'since' | 'unread'> & Heard

export function rankOf(needy: Pick<Needy, 'state' | 'unread' | 'stale'>): number {
  const { state, unread } = needy
  if (isStale(needy)) return STALE_RANK
  if (state !== 'idle') return STANDINGS[state].rank
  return unread ? IDLE_UNREAD_RANK : IDLE_READ_RANK
}

/** By code unit: the same on every machine, whatever its locale. */
function byCode(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * SPEC VW4. A waiting session needs the user until the request is answered. A session that ended,
 * failed or got stuck needs the user until the user has seen it. SPEC FL82. One whose machine is
 * not heard from calls nobody.
 */
export function needsUser(needy: Pick<Needy, 'state' | 'unread' | 'stale'>): boolean {
  const { state, unread } = needy
  if (isStale(needy)) return false
  if (state === 'waiting') return true
  return unread && (state === 'error' || state === 'stuck' || state === 'idle')
}

/** `4 s`, `12 min`, `3 h`. */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h`
}

/** SPEC FL83. `last heard 3 min ago`; null for a session whose machine is heard from. */
export function heardWords(row: Heard, now: number): string | null {
  return typeof row.stale === 'number' ? `last heard ${ageOf(now - row.stale)} ago` : null
}

/**
 * SPEC OS1. An agent's text, made safe for a terminal. Titles and commands are not trusted: an
 * escape sequence in them would move the cursor or set the clipboard.
 */
export function plain(text: string, columns: number): string {
  const letters = [...blanked(text.slice(0, columns * 4 + 100))]
  if (letters.length <= columns) return letters.join('')
  return columns < 1 ? '' : `${letters.slice(0, columns - 1).join('')}…`
}
