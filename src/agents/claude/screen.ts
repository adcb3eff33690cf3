import { TEXT_MAX_CHARS } from '../../core/limits.ts'
import type { About, Happening, Report, ScreenShows, WaitingFor } from '../../core/signal.ts'
import { given, number, path, short, text } from './read.ts'
import {
  ANSWER,
  BANG,
  BORDER,
  DIALOGS,
  FOOT,
  INPUT_MARK,
  MESSAGE,
  PANEL,
  PLACEHOLDERS,
  RULE,
  SELECTED,
  SELECTOR,
  SPINNER,
  STATUS_LINES,
  UNKNOWN_STATUS,
} from './screen-rules.ts'

/**
 * Lines of text above the input line among which its status may stand: hints and to-dos between.
 */
const STATUS_LINES_MAX = 24

/** A screen is as large as its user's terminal; what is above this much is not on one. */
const SCREEN_CHARS_MAX = 100_000

/** Whoever looked at the pane because of the process in it names that. */
export function aboutScreen(report: Report): About {
  const { session, pane, pid } = report
  return { agent: 'claude', session: short(session), pane: short(pane), pid: number(pid) }
}

export function fromScreen(report: Report): Happening[] {
  const shown = text(report.text)
  if (shown === undefined) return []
  const details = given({ pane: short(report.tmuxPane), tmux: path(report.tmux) })
  const where = Object.keys(details).length > 0 ? [{ kind: 'details' as const, details }] : []
  return [{ kind: 'screen', ...readScreen(shown) }, ...where]
}

export interface ScreenReading {
  readonly shows: ScreenShows
  readonly for?: WaitingFor
  readonly input?: string
}

/**
 * SPEC X8. Read by structure, from the bottom: either the input line stands between two rules, with
 * the spinner above it, or a dialog has taken its place. What a tool printed is above both and
 * indented, so no output can look like either. Screens come five times a second from every pane, so
 * they are read line by line upwards and no further than needed.
 */
export function readScreen(text: string): ScreenReading {
  const shown = text.length > SCREEN_CHARS_MAX ? text.slice(-SCREEN_CHARS_MAX) : text
  const top = inputLine(shown)
  if (top === undefined) return dialog(shown)
  const input = lineAfter(shown, top).slice(1).trim()
  const reading = statusAbove(shown, top)
  const typed = PLACEHOLDERS.test(input) ? '' : input.slice(0, TEXT_MAX_CHARS)
  return reading.for === undefined
    ? { shows: reading.shows, input: typed }
    : { shows: reading.shows, for: reading.for, input: typed }
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

function statusAbove(shown: string, top: number): ScreenReading {
  let read = 0
  for (let start = lineAbove(shown, top); start >= 0; start = lineAbove(shown, start)) {
    const line = lineAt(shown, start)
    if (line === '' || line.trim() === '') continue
    read += 1
    if (read > STATUS_LINES_MAX) break
    // Statuses and messages begin in the first column; what tools print does not.
    const reading = line[0] === ' ' ? indented(shown, start, line, top) : status(line)
    if (reading) return reading
    if (ANSWER.test(line)) return { shows: 'text' }
    if (MESSAGE.test(line)) break
  }
  return { shows: 'prompt' }
}

/** Above the input line for a moment, until the dialog is drawn in its place (bash_approve). */
const ASKING = /^ {2}Waiting for permission…/

function indented(
  shown: string,
  start: number,
  line: string,
  top: number,
): ScreenReading | undefined {
  const above = lineAt(shown, lineAbove(shown, start))
  const isLast = start + line.length + 1 === top
  if (isLast && above.trim() === '' && ASKING.test(line))
    return { shows: 'dialog', for: 'permission' }
  return BANG.running.test(line) && BANG.command.test(above) ? { shows: 'working' } : undefined
}

function status(line: string): ScreenReading | undefined {
  const spun = SPINNER.exec(line)
  if (spun) {
    const known = STATUS_LINES.find(({ pattern }) => pattern.test(spun[1] ?? ''))
    return { shows: known?.shows ?? 'prompt' }
  }
  // SPEC SR7. A status in a style not known: nothing can be told from this screen.
  return UNKNOWN_STATUS.test(line) && !MESSAGE.test(line) ? { shows: 'nothing' } : undefined
}

function dialog(shown: string): ScreenReading {
  if (!shown.includes(SELECTED) && !shown.includes('▔')) return { shows: 'nothing' }
  const lines = shown.split('\n').map((line) => line.replace(BORDER, ' '))
  const panel = lines.some((line) => PANEL.test(line))
  if (!panel && !lines.some((line) => SELECTOR.test(line))) return { shows: 'nothing' }
  // The lowest line that tells: what a dialog asks about stands above what it asks.
  const telling = lines.findLast((line) => DIALOGS.some(({ pattern }) => pattern.test(line)))
  const found = DIALOGS.find(({ pattern }) => telling !== undefined && pattern.test(telling))
  if (found) return { shows: 'dialog', for: found.for }
  const last = lines.findLast((line) => line.trim() !== '') ?? ''
  return panel || FOOT.pattern.test(last)
    ? { shows: 'dialog', for: FOOT.for }
    : { shows: 'nothing' }
}

/** Where the line above the one that begins at `start` begins; below nothing there is none. */
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
