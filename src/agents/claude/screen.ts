import { TEXT_MAX_CHARS } from '../../core/limits.ts'
import type { About, Happening, Report, ScreenShows, WaitingFor } from '../../core/signal.ts'
import { given, short, text } from './read.ts'
import {
  BANG,
  DIALOGS,
  FOOT,
  INPUT_MARK,
  MESSAGE,
  PLACEHOLDERS,
  RULE,
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

export function aboutScreen(report: Report): About {
  return given({ agent: 'claude', session: short(report.session), pane: short(report.pane) })
}

export function fromScreen(report: Report): Happening[] {
  const shown = text(report.text)
  return shown === undefined ? [] : [{ kind: 'screen', ...readScreen(shown) }]
}

export interface ScreenReading {
  readonly shows: ScreenShows
  readonly for?: WaitingFor
  readonly input?: string
}

/**
 * SPEC X8. Read by structure, from the bottom: either the input line stands between two rules, with
 * the spinner above it, or a dialog has taken its place. What a tool printed is above both and
 * indented, so no output can look like either.
 */
export function readScreen(shown: string): ScreenReading {
  const lines = shown.slice(-SCREEN_CHARS_MAX).split('\n')
  const top = inputLine(lines)
  if (top === undefined) return dialog(lines)
  const input = (lines[top + 1] ?? '').slice(1).trim()
  const reading = statusAbove(lines, top)
  const typed = PLACEHOLDERS.test(input) ? '' : input.slice(0, TEXT_MAX_CHARS)
  return reading.for === undefined
    ? { shows: reading.shows, input: typed }
    : { shows: reading.shows, for: reading.for, input: typed }
}

/** The index of the upper rule of the input line. */
function inputLine(lines: readonly string[]): number | undefined {
  const bottom = ruleAbove(lines, lines.length)
  const top = bottom === undefined ? undefined : ruleAbove(lines, bottom)
  if (top === undefined) return undefined
  return INPUT_MARK.test(lines[top + 1] ?? '') ? top : undefined
}

function ruleAbove(lines: readonly string[], below: number): number | undefined {
  for (let i = below - 1; i >= 0; i--) {
    const line = lines[i] as string
    if (line.startsWith('─') && RULE.test(line)) return i
  }
  return undefined
}

function statusAbove(lines: readonly string[], top: number): ScreenReading {
  for (let i = top - 1, read = 0; i >= 0 && read < STATUS_LINES_MAX; i--) {
    const line = lines[i] as string
    if (line === '' || line.trim() === '') continue
    read += 1
    if (ASKING.test(line) && i === top - 1 && (lines[i - 1] ?? '').trim() === '')
      return { shows: 'dialog', for: 'permission' }
    if (BANG.running.test(line) && BANG.command.test(lines[i - 1] ?? '')) return WORKING
    // Statuses and messages begin in the first column; what tools print does not.
    if (line.startsWith(' ')) continue
    const spun = SPINNER.exec(line)
    if (spun) {
      const status = STATUS_LINES.find(({ pattern }) => pattern.test(spun[1] ?? ''))
      return { shows: status?.shows ?? 'prompt' }
    }
    if (MESSAGE.test(line)) break
    // SPEC SR7. A status in a style not known: nothing can be told from this screen.
    if (UNKNOWN_STATUS.test(line)) return { shows: 'nothing' }
  }
  return { shows: 'prompt' }
}

const WORKING: ScreenReading = { shows: 'working' }

/** Above the input line for a moment, until the dialog is drawn in its place (bash_approve). */
const ASKING = /^ {2}Waiting for permission…/

function dialog(lines: readonly string[]): ScreenReading {
  if (!lines.some((line) => SELECTOR.test(line))) return { shows: 'nothing' }
  const found = DIALOGS.find(({ pattern }) => lines.some((line) => pattern.test(line)))
  if (found) return { shows: 'dialog', for: found.for }
  const last = lines.findLast((line) => line.trim() !== '') ?? ''
  return FOOT.pattern.test(last) ? { shows: 'dialog', for: FOOT.for } : { shows: 'nothing' }
}
