import { requestOf } from '../../view/board/abilities.ts'
import { warningOf } from '../../view/board/news.ts'
import { sessionsIn } from '../../view/board/rows.ts'
import { plain } from '../../view/session.ts'
import { figuresOf, summaryOfAll } from '../../view/summary.ts'
import { geometryOf } from './geometry.ts'
import type { StyledText, TerminalLine } from './picture.ts'
import type { TerminalState } from './state.ts'
import { fitted, widthOf } from './text.ts'

/** How many sessions are in which state; and on the right a warning if the data is old. */
export function headLine(state: TerminalState, width: number): TerminalLine {
  const figures = figuresOf(summaryOfAll(state.sessions))
  const counts = figures.flatMap(({ glyph, count, word, colour }) =>
    count === 0 ? [] : { text: `   ${glyph} ${count} ${word}`, colour },
  )
  const left: TerminalLine = [{ text: ' ' }, { text: 'vigil', bold: true }, ...counts]
  const warning = warningOf(state)
  if (warning === null) return cut(left, width)
  return apart(left, [{ text: `${fitted(warning, width - 8)} `, colour: 'red' }], width)
}

/** What the list leaves out, and what the user types. */
export function noteLine(state: TerminalState, width: number): TerminalLine {
  const { filter, typing, dismissed, saying } = state
  if (saying) return sayingLine(state, saying, width)
  const parts: StyledText[] = []
  if (typing || filter !== '')
    parts.push(
      { text: ' filter ', dim: true },
      { text: filter, bold: true },
      { text: typing ? '▏' : '', colour: 'blue' },
      { text: `  ${sessionsIn(state.list).length} of ${state.sessions.size}`, dim: true },
    )
  if (dismissed.size > 0) parts.push({ text: `  ${dismissed.size} dismissed`, dim: true })
  const beyond = beyondOf(state)
  return beyond === '' ? cut(parts, width) : apart(parts, [{ text: beyond, dim: true }], width)
}

/** Shows the end of the typed text, where the cursor is. */
function sayingLine(
  state: TerminalState,
  { session, text }: NonNullable<TerminalState['saying']>,
  width: number,
) {
  const to = state.sessions.get(session)
  const head = ` to ${to ? plain(to.name, 20) : session.slice(0, 8)} `
  const room = Math.max(8, width - widthOf(head) - 2)
  return [
    { text: head, dim: true },
    { text: ending(text, room), bold: true },
    { text: '▏', colour: 'blue' },
  ] satisfies TerminalLine
}

function ending(text: string, columns: number): string {
  let kept = ''
  for (const letter of [...text].toReversed()) {
    if (widthOf(letter + kept) > columns) break
    kept = letter + kept
  }
  return kept
}

/** How many rows are above and below the visible ones. */
function beyondOf({ top, columns, rows: height, shows, list }: TerminalState): string {
  const below = list.length - top - geometryOf(columns, height).list.height
  const parts = [...(top > 0 ? [`↑ ${top}`] : []), ...(below > 0 ? [`↓ ${below}`] : [])]
  return shows === 'sessions' ? parts.join('  ') : ''
}

export function footLine(state: TerminalState, width: number): TerminalLine {
  const { notice, answering, saying } = state
  if (notice) return [{ text: ` ${fitted(notice.text, width - 1)}`, colour: 'yellow' }]
  const asked = answering ? ANSWER_KEYS[answering.mode] : undefined
  const keys = asked ?? (saying ? SAYING_KEYS : foot(state))
  const kept = keys.slice(keys.at(-1)?.[0] === 'q' ? -2 : -1)
  const end = keySpans(kept)
  const others = keys.slice(0, keys.length - kept.length)
  // SPEC TU26. Whole keys from the left, as many as fit before the keys for help and quit.
  let room = width - widthIn(end)
  const begun = others.findIndex((key) => {
    room -= widthIn(keySpans([key]))
    return room < 0
  })
  return cut([...keySpans(begun < 0 ? others : others.slice(0, begun)), ...end], width)
}

function keySpans(keys: readonly (readonly [string, string])[]): TerminalLine {
  return keys.flatMap(([key, meaning]) => [
    { text: ` ${key}`, bold: true },
    { text: ` ${meaning} `, dim: true },
  ])
}

function foot(state: TerminalState) {
  const { shows, typing } = state
  if (typing) return TYPING_KEYS
  if (shows === 'request') return REQUEST_KEYS
  if (shows !== 'sessions') return TEXT_KEYS
  // Keys that do not fit are in the help.
  return requestOf(state)
    ? [...READ_KEYS, ...KEYS.filter(([key]) => key !== 'g' && key !== 'x')]
    : KEYS
}

const ANSWER_KEYS = {
  word: [
    ['⏎', 'deny'],
    ['Esc', 'cancel'],
  ],
  suggestion: [
    ['1–9', 'allow'],
    ['Esc', 'cancel'],
  ],
  question: [
    ['1–9', 'choose'],
    ['space', 'tick'],
    ['o', 'your own answer'],
    ['⏎', 'on'],
    ['Esc', 'cancel'],
  ],
} as const

const SAYING_KEYS = [
  ['⏎', 'send'],
  ['Esc', 'cancel'],
] as const

const KEYS = [
  ['⏎', 'go'],
  ['n', 'next'],
  ['f', 'filter'],
  ['w', 'why'],
  ['p', 'pane'],
  ['u', 'read'],
  ['g', 'group'],
  ['x', 'dismiss'],
  ['?', 'help'],
  ['q', 'quit'],
] as const

const READ_KEYS = [['space', 'read all']] as const

const REQUEST_KEYS = [
  ['space', 'further'],
  ['b', 'back'],
  ['y', 'allow'],
  ['Y', 'allow, and remember'],
  ['d', 'deny'],
  ['Esc', 'cancel'],
] as const

const TYPING_KEYS = [
  ['⏎', 'keep'],
  ['Esc', 'clear'],
] as const

const TEXT_KEYS = [
  ['↑↓', 'scroll'],
  ['Esc', 'back'],
] as const

function apart(left: TerminalLine, right: TerminalLine, width: number): TerminalLine {
  const rightWidth = widthIn(right)
  const kept = cut(left, Math.max(0, width - rightWidth - 1))
  const gap = ' '.repeat(Math.max(1, width - widthIn(kept) - rightWidth))
  return [...kept, { text: gap }, ...right]
}

function widthIn(line: TerminalLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0)
}

/** Whole spans only: half a word has no meaning. */
function cut(line: TerminalLine, width: number): TerminalLine {
  let room = width
  return line.filter(({ text }) => {
    room -= widthOf(text)
    return room >= 0
  })
}
