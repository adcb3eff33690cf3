import { TEXT_MAX_CHARS } from '../../core/limits.ts'
import type { ScreenReading } from '../agent.ts'
import {
  ANSWER,
  ASKING,
  BANG,
  BARE,
  BORDER,
  CONFIDENCE_MIN,
  DIALOGS,
  FINISHED,
  FOOT,
  INPUT_MARK,
  MESSAGE,
  PANEL,
  PLACEHOLDERS,
  RULE,
  type ScreenRule,
  SELECTED,
  SELECTOR,
  SPINNER,
  STATUS_LINES,
  UNKNOWN_STATUS,
} from './screen-rules.ts'

/** Lines above the input line among which its status may be: hints and to-dos lie between. */
const STATUS_LINES_MAX = 24

/** A screen is as large as its user's terminal; text beyond this is not on the screen. */
const SCREEN_CHARS_MAX = 100_000

/**
 * SPEC X8. Reads by structure, from the bottom: either the input line is between two rules, with
 * the spinner above it, or a dialog has replaced it. A tool's output is above both and indented, so
 * no output can look like either. Screens come five times a second from every pane, so they are
 * read line by line upwards and no further than needed.
 */
export function readScreen(text: string): ScreenReading {
  const { rule, input } = ruledBy(text)
  const isKnown = rule !== undefined && rule.confidence >= CONFIDENCE_MIN
  return {
    ...(isKnown ? { shows: rule.shows, ...(rule.for && { for: rule.for }) } : NOTHING),
    ...(input !== undefined && { input }),
  }
}

const NOTHING = { shows: 'nothing' } as const

/** The rule that decides about a screen, if any, and the text of its input line. */
export function ruledBy(text: string): { readonly rule?: ScreenRule; readonly input?: string } {
  const shown = text.length > SCREEN_CHARS_MAX ? text.slice(-SCREEN_CHARS_MAX) : text
  const top = inputLine(shown)
  const rule = top === undefined ? dialog(shown) : statusAbove(shown, top)
  if (top === undefined) return { ...(rule && { rule }) }
  const input = lineAfter(shown, top).slice(1).trim()
  const typed = PLACEHOLDERS.test(input) ? '' : input.slice(0, TEXT_MAX_CHARS)
  return { ...(rule && { rule }), input: typed }
}

/** Where the upper rule of the input line begins. */
function inputLine(shown: string): number | undefined {
  const bottom = ruleAbove(shown, shown.length + 1)
  const top = bottom === undefined ? undefined : ruleAbove(shown, bottom)
  return top !== undefined && INPUT_MARK.test(lineAfter(shown, top)) ? top : undefined
}

/** Where the next rule above the line that begins at `below` begins. */
function ruleAbove(shown: string, below: number): number | undefined {
  for (let start = lineAbove(shown, below); start >= 0; start = lineAbove(shown, start))
    if (shown[start] === '─' && RULE.test(lineAt(shown, start))) return start
  return undefined
}

function statusAbove(shown: string, top: number): ScreenRule | undefined {
  let read = 0
  for (let start = lineAbove(shown, top); start >= 0; start = lineAbove(shown, start)) {
    const line = lineAt(shown, start)
    if (line === '' || line.trim() === '') continue
    read += 1
    if (read > STATUS_LINES_MAX) break
    // Statuses and messages begin in the first column; tool output does not.
    const rule = line[0] === ' ' ? indented(shown, start, line, top) : status(line)
    if (rule) return rule
    // SPEC SR7. A status in an unknown style: this screen shows no state.
    if (UNKNOWN_STATUS.test(line) && !MESSAGE.test(line)) return undefined
    if (ANSWER.pattern.test(line)) return ANSWER
    if (MESSAGE.test(line)) break
  }
  return BARE
}

function indented(shown: string, start: number, line: string, top: number): ScreenRule | undefined {
  const above = lineAt(shown, lineAbove(shown, start))
  const isLast = start + line.length + 1 === top
  if (isLast && above.trim() === '' && ASKING.pattern.test(line)) return ASKING
  return BANG.pattern.test(line) && BANG.above.test(above) ? BANG : undefined
}

function status(line: string): ScreenRule | undefined {
  const spun = SPINNER.exec(line)
  if (!spun) return undefined
  return STATUS_LINES.find(({ pattern }) => pattern.test(spun[1] ?? '')) ?? FINISHED
}

function dialog(shown: string): ScreenRule | undefined {
  if (!shown.includes(SELECTED) && !shown.includes('▔')) return undefined
  const lines = shown.split('\n').map((line) => line.replace(BORDER, ' '))
  const panel = lines.some((line) => PANEL.pattern.test(line)) ? PANEL : undefined
  if (!panel && !lines.some((line) => SELECTOR.test(line))) return undefined
  // The lowest matching line: the details of a dialog are above its question.
  const telling = lines.findLast((line) => DIALOGS.some(({ pattern }) => pattern.test(line)))
  const found = DIALOGS.find(({ pattern }) => telling !== undefined && pattern.test(telling))
  if (found) return found
  const last = lines.findLast((line) => line.trim() !== '') ?? ''
  return panel ?? (FOOT.pattern.test(last) ? FOOT : undefined)
}

/** Where the line above the one that begins at `start` begins; -1 for the first line. */
function lineAbove(shown: string, start: number): number {
  return start <= 0 ? -1 : shown.lastIndexOf('\n', start - 2) + (start === 1 ? 0 : 1)
}

function lineAt(shown: string, start: number): string {
  if (start < 0) return ''
  const end = shown.indexOf('\n', start)
  return shown.slice(start, end < 0 ? undefined : end)
}

function lineAfter(shown: string, start: number): string {
  const end = shown.indexOf('\n', start)
  return end < 0 ? '' : lineAt(shown, end + 1)
}
