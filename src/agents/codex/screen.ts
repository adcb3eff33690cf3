import { TEXT_MAX_CHARS } from '../../core/limits.ts'
import type { ScreenShows, WaitingFor } from '../../core/signal.ts'
import type { ScreenReading } from '../agent.ts'

/** A screen is as large as its user's terminal; what is above this much is not on one. */
const SCREEN_CHARS_MAX = 100_000

/** Lines above the input line among which the status may stand: queued prompts are between. */
const STATUS_LINES_MAX = 16

/**
 * What the terminal client shows, read from the bottom (0.166.0): a dialog ends with the line of
 * its keys; otherwise the input line stands above the line with model and folder, and the status
 * above the input line. While an answer streams in there is no status, so an input line alone
 * proves nothing.
 */
export function readCodexScreen(text: string): ScreenReading {
  const shown = text.length > SCREEN_CHARS_MAX ? text.slice(-SCREEN_CHARS_MAX) : text
  const lines = shown.trimEnd().split('\n')
  const dialog = dialogIn(lines)
  if (dialog) return { ...dialog, ...sentIn(lines, choiceIn(lines)) }
  const input = inputLine(lines)
  if (input === undefined) return { shows: 'nothing' }
  const typed = (lines[input] ?? '').slice(1).trim()
  const words = PLACEHOLDER.test(typed) ? '' : typed.slice(0, TEXT_MAX_CHARS)
  return { shows: statusAbove(lines, input), input: words, ...sentIn(lines, input) }
}

interface Dialog {
  readonly foot: RegExp
  /** A line above the foot that tells which dialog it is. */
  readonly head?: RegExp
  readonly for: WaitingFor
}

/** The first that matches decides. `seenIn` names the lab's conversation that shows it. */
const DIALOGS: readonly Dialog[] = [
  // bash_approve, edit_approve
  {
    foot: /^ {2}Press enter to confirm or esc to cancel/,
    head: /^ {2}(Would you like to|Do you want to|Allow) /,
    for: 'permission',
  },
  // mcp_approve
  { foot: /^ {2}enter to submit \| esc to cancel/, head: /^ {2}Allow /, for: 'permission' },
  // ask_answer
  { foot: /\| esc to interrupt$/, head: /^ {2}Question \d+\/\d+/, for: 'question' },
  // plan_approve
  { foot: /^ {2}enter select · esc back/, head: /^ {2}Implement this plan\?/, for: 'plan' },
  // trust_dialog, hook_trust, direct_tools, ctrl_c_working, warning
  { foot: /^ {2}.*\besc (back|skip|close|cancel|dismiss|go back)\b/, for: 'dialog' },
  { foot: /^ {2}enter\/esc confirm\b/, for: 'dialog' },
  { foot: /^ {2}Press enter to (confirm|continue)/, for: 'dialog' },
]

/** The head of a dialog stands within this many lines of its foot. */
const DIALOG_LINES_MAX = 40

function dialogIn(lines: readonly string[]): ScreenReading | undefined {
  const foot = lines.at(-1) ?? ''
  const above = lines.slice(-DIALOG_LINES_MAX, -1)
  const found = DIALOGS.find(
    (dialog) => dialog.foot.test(foot) && (!dialog.head || above.some((l) => dialog.head?.test(l))),
  )
  return found && { shows: 'dialog', for: found.for }
}

/** What an empty input line shows. */
export const PLACEHOLDER = /^(Ask Codex to do anything|Describe a task|Find and fix a bug|Explain )/

/**
 * The line of the prompt. Below it stands the line of model and folder, from the moment the client
 * can be used; before that (`loading`) the input line is drawn, but what is typed stays in it.
 */
function inputLine(lines: readonly string[]): number | undefined {
  const at = lines.findLastIndex((line) => INPUT.test(line))
  if (at < 0) return undefined
  return lines.slice(at + 1).some((line) => FOOTER.test(line)) ? at : undefined
}

/** The chosen line of a dialog; the dialog of a question indents it. */
function choiceIn(lines: readonly string[]): number {
  const at = lines.findLastIndex((line) => INPUT.test(line))
  return CHOICE.test(lines[at]?.slice(2) ?? '') ? at : lines.length
}

/** SPEC CX66. The newest prompt above this line, if it is drawn in one line. */
function sentIn(lines: readonly string[], end: number): { readonly prompt?: string } {
  const at = lines.slice(0, end).findLastIndex((line) => INPUT.test(line))
  const prompt = (lines[at] ?? '').slice(2).trim()
  const isWhole = prompt !== '' && (lines[at + 1] ?? '').trim() === ''
  // An export cannot tell these from the client's own words.
  return isWhole && !PLACEHOLDER.test(prompt) && !CHOICE.test(prompt) ? { prompt } : {}
}

const INPUT = /^›( |$)/
const CHOICE = /^\d+\. /
/** With the folder or the thread's id, also where an export has hidden its letters. */
const FOOTER = /^ {2}\S.* · (\/|~|[0-9a-fx]{8}-)/

function statusAbove(lines: readonly string[], input: number): ScreenShows {
  const above = lines.slice(Math.max(0, input - STATUS_LINES_MAX), input)
  if (above.some((line) => WORKING.test(line))) return 'working'
  return above.some((line) => BACKGROUND.test(line)) ? 'background' : 'text'
}

/** `• Working (3s • esc to interrupt)`, `◦ Reconnecting... 1/5 (4s • esc to interrupt)`. */
const WORKING = /^[•◦] .*\(\d[\dhms ]* • esc to interrupt\)/
const BACKGROUND = /^ {2}\d+ background terminals? running\b/
