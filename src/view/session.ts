import type { State, Verdict } from '../core/verdict.ts'

/** How a verdict is shown, the same on every surface. */
export type Colour = 'red' | 'yellow' | 'green' | 'blue' | 'magenta' | 'grey'

interface Look {
  readonly glyph: string
  readonly colour: Colour
  /** Who needs its user comes first. */
  readonly rank: number
}

const LOOKS: Readonly<Record<State, Look>> = {
  waiting: { glyph: '⏸', colour: 'yellow', rank: 0 },
  error: { glyph: '✗', colour: 'red', rank: 1 },
  stuck: { glyph: '◌', colour: 'magenta', rank: 2 },
  idle: { glyph: '✓', colour: 'green', rank: 4 },
  working: { glyph: '●', colour: 'blue', rank: 5 },
  background: { glyph: '◍', colour: 'blue', rank: 6 },
  starting: { glyph: '○', colour: 'grey', rank: 7 },
  unknown: { glyph: '?', colour: 'grey', rank: 8 },
  closed: { glyph: '·', colour: 'grey', rank: 9 },
}

/** An unread idle session comes before those at work, a read one after. */
const IDLE_READ_RANK = 7
const IDLE_UNREAD_RANK = 3

export function glyphOf({ state }: Verdict): string {
  return LOOKS[state].glyph
}

export function colourOf({ state }: Verdict): Colour {
  return LOOKS[state].colour
}

/** The state in words: `waiting for permission`, `idle after work`, `working: Bash`. */
export function wordsOf(verdict: Verdict): string {
  const { state, doing } = verdict
  if (verdict.for) return `${state} for ${verdict.for}`
  if (verdict.after) return `${state} after ${verdict.after}`
  if (verdict.cause) return `${state}: ${verdict.cause}`
  if (state === 'closed' && verdict.how) return `${state}: ${verdict.how}`
  if (doing) return `${state}: ${doing.tool ?? doing.what}`
  return state
}

/** What it asks, does or left running, for the eye. */
export function detailOf(verdict: Verdict): string {
  if (verdict.request?.text) return verdict.request.text
  if (verdict.doing?.label) return verdict.doing.label
  return verdict.tasks.map((task) => task.label ?? task.what).join(', ')
}

/** Attention order: neediest first, within a kind the one that has waited longest. */
export function byAttention(a: Verdict, b: Verdict): number {
  return rankOf(a) - rankOf(b) || a.since - b.since || a.session.localeCompare(b.session)
}

function rankOf(verdict: Verdict): number {
  if (verdict.state !== 'idle') return LOOKS[verdict.state].rank
  return verdict.unread ? IDLE_UNREAD_RANK : IDLE_READ_RANK
}

/** `4 s`, `12 min`, `3 h`: how long, as people say it. */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h`
}

/**
 * Text of an agent, made safe for a terminal: its titles and commands are not ours to trust, and an
 * escape sequence in them would move the cursor or set the clipboard.
 */
export function plain(text: string, columns: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ')
  return clean.length > columns ? `${clean.slice(0, Math.max(0, columns - 1))}…` : clean
}
