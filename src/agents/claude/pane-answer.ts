import type { AskedCall } from '../answers.ts'
import { isDrawn, outdented, screenLines, withoutBars } from '../drawn-text.ts'
import { paneAnswersOf } from '../pane-answers.ts'
import { fields, textIn } from '../read.ts'
import { readScreen } from './screen.ts'
import { RULE } from './screen-rules.ts'

/** The choices of a dialog, in order: the first has the key 1. */
interface Shown {
  readonly labels: readonly string[]
  /** The choice that Enter would confirm. */
  readonly chosen: number
}

/** Seen in 2.0.50, 2.1.100, 2.1.220 and 2.1.325; in all of them a digit chooses at once. */
export const paneAnswers = paneAnswersOf({
  commandTool: 'Bash',
  commandOn: (asked, screen) => {
    const shown = commandDialog(asked, screen)
    return /^(Yes|No)\b/.test(shown?.labels[shown.chosen] ?? '') ? shown : undefined
  },
  keysOf: ({ labels }, choice) => {
    const plain = choice === 'allow' ? /^Yes$/ : /^No(,|$)/
    const place = labels.findIndex((label) => plain.test(label))
    if (place < 0) return { why: `the dialog has no plain option to ${choice}` }
    return { keys: [String(place + 1)] }
  },
  isQuestionOn,
})

const PROCEED = ' Do you want to proceed?'
const DASHES = /^╌{20,}$/

/** The dialog of this command, below the last rule, with nothing below it. */
function commandDialog({ input, actor }: AskedCall, screen: string): Shown | undefined {
  if (readScreen(screen).for !== 'permission') return undefined
  const all = screenLines(screen)
  const top = all.findLastIndex((line) => RULE.test(line))
  const [heading = '', ...dialog] = all.slice(top + 1)
  const asks = dialog.lastIndexOf(PROCEED)
  if (top < 0 || asks < 0 || !(actor === null ? COMMAND : COMMAND_OF_ANY).test(heading))
    return undefined
  const { command, description } = fields(input)
  const width = all[top]?.length ?? 0
  const above = dialog.slice(0, asks)
  const isThis = DASHES.test(above.at(-1) ?? '')
    ? isBetweenDashes(textIn(command) ?? '', above, width)
    : isAbove(`${textIn(command)}\n${textIn(description) ?? NO_DESCRIPTION}`, above, width)
  return isThis ? choicesIn(dialog.slice(asks + 1)) : undefined
}

/** With its place among several at the right end. Older clients do not show which agent asks. */
const COMMAND = /^ Bash command( +\d+ of \d+)?$/
const COMMAND_OF_ANY = /^ Bash command( · from the \S+ agent)?( +\d+ of \d+)?$/
/** The client's text for a command without a description. */
const NO_DESCRIPTION = 'Run shell command'

function isBetweenDashes(command: string, above: readonly string[], width: number): boolean {
  const from = above.slice(0, -1).findLastIndex((line) => DASHES.test(line))
  const lines = outdented(above.slice(from + 1, -1), 1)
  return from >= 0 && lines !== undefined && isDrawn(command, withoutBars(lines), width)
}

/** Before 2.1.325: command and description, one below the other, between two empty lines. */
function isAbove(text: string, above: readonly string[], width: number): boolean {
  const lines = outdented(above.slice(1, -1), 3)
  return (
    above[0] === '' && above.at(-1) === '' && lines !== undefined && isDrawn(text, lines, width)
  )
}

const CHOICE = /^ {1,3}(❯ )? *(\d)\. (\S.*)$/
const FOOT = /^ Esc to (cancel|exit)\b/

/** Choices up to an empty line, each perhaps over several lines, then the foot. */
function choicesIn(lines: readonly string[]): Shown | undefined {
  const end = lines.indexOf('')
  const below = lines.slice(end).filter((line) => line !== '')
  if (end < 0 || below.length !== 1 || !FOOT.test(below[0] ?? '')) return undefined
  const labels: string[] = []
  let chosen = -1
  for (const line of lines.slice(0, end)) {
    const [, mark, number, label = ''] = CHOICE.exec(line) ?? []
    if (number === undefined) labels.push(`${labels.pop() ?? ''} ${line.trim()}`)
    else if (Number(number) !== labels.push(label)) return undefined
    if (mark !== undefined) chosen = labels.length - 1
  }
  return { labels, chosen }
}

const SELECT = /^Enter to select · .*Esc to cancel$/
const OPTION = /^(❯| ) (\d)\. (\S.*)$/
const OWN_WORDS = 'Type something.'

/**
 * A single question, all of its options with their descriptions, and the two that the client adds.
 */
function isQuestionOn(question: AskedCall['questions'][number], screen: string): boolean {
  const all = screenLines(screen)
  const ruled = all.flatMap((line, place) => (RULE.test(line) ? [place] : []))
  const [top = -1, below = -1] = ruled.slice(-2)
  const [heading, space, ...dialog] = all.slice(top + 1, below)
  const foot = all.slice(below + 1).filter((line) => line !== '')
  const { options, header } = question
  const isFramed = heading === ` ☐ ${header}` && space === '' && SELECT.test(foot[1] ?? '')
  const isLast = foot.length === 2 && foot[0] === `  ${options.length + 2}. Chat about this`
  const width = all[top]?.length ?? 0
  const gap = dialog.findIndex((line, place) => line === '' && OPTION.test(dialog[place + 1] ?? ''))
  const text = withoutBars(dialog.slice(0, gap))
  if (top < 0 || !isFramed || !isLast || gap < 0) return false
  return (
    isDrawn(question.question, text, width) && areOptions(options, dialog.slice(gap + 1), width)
  )
}

function areOptions(
  options: AskedCall['questions'][number]['options'],
  lines: readonly string[],
  width: number,
): boolean {
  const starts = lines.flatMap((line, place) => (OPTION.test(line) ? [place] : []))
  if (starts.length !== options.length + 1 || starts[0] !== 0) return false
  return starts.every((start, place) => {
    const [, mark, number, label] = OPTION.exec(lines[start] ?? '') ?? []
    const option = options[place]
    const more = outdented(lines.slice(start + 1, starts[place + 1]), 5)
    if (Number(number) !== place + 1 || !more) return false
    // A key pressed in the field for own words is typed there.
    if (!option) return label === OWN_WORDS && more.length === 0 && mark !== '❯'
    if (label !== option.label) return false
    return option.description ? isDrawn(option.description, more, width) : more.length === 0
  })
}
