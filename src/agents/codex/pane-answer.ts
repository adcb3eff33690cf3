import type { RequestChoice } from '../../protocol/request.ts'
import type { AskedCall } from '../answers.ts'
import { isDrawn, outdented } from '../drawn-text.ts'
import type { AnswerKeys, PaneAnswers } from '../pane-answers.ts'
import { fields, textIn } from '../read.ts'

/** SPEC CX47. Seen in 0.166.0. */
export const codexPaneAnswers: PaneAnswers = {
  keysFor: (asked, screen, choice) => {
    if (asked.cut) return { why: 'the request is too long to be compared with the screen' }
    if (asked.kind === 'question') return answered(asked, screen, choice)
    if (asked.tool !== 'Bash') return { why: LEFT_OUT }
    return decided(asked, screen, choice)
  },
}

/** The dialog of an edit shows its files, not what changes. */
const LEFT_OUT = 'vigil cannot tell whether the screen shows this request'
const TAKES_NO_WORD = 'the dialog takes no message; deny without one'
const ANOTHER = 'the screen shows another dialog, or only part of this one'

const HEAD = '  Would you like to run the following command?'
const ALLOW = '› 1. Yes, proceed (y)'
const DENY = /^ {2}\d\. No, and tell Codex what to do differently \(esc\)$/
const FOOT = /^ {2}Press enter to confirm or esc to cancel( or o to open thread)?$/

function decided(asked: AskedCall, screen: string, choice: RequestChoice | undefined): AnswerKeys {
  if (!isCommandOn(asked, linesOf(screen))) return { why: ANOTHER }
  if (!choice) return { keys: [] }
  if (choice.suggestion !== undefined)
    return { why: 'its suggestions can only be chosen in its terminal' }
  if (choice.word?.trim()) return { why: TAKES_NO_WORD }
  return { keys: [choice.choice === 'allow' ? 'y' : 'Escape'] }
}

/** From the heading to the keys: where it runs, why, the whole command, the choices. */
function isCommandOn({ input, actor }: AskedCall, lines: readonly string[]): boolean {
  const { command, reason } = fields(input)
  const [head, allow] = [lines.lastIndexOf(HEAD), lines.lastIndexOf(ALLOW)]
  const dialog = outdented(lines.slice(head + 1, allow), 2)
  if (head < 0 || allow < head || !dialog || !areChoices(lines.slice(allow + 1))) return false
  const text = textIn(reason)
  const above = [
    ...(actor === null ? [] : [`Thread: Agent (${actor.slice(0, 8)})`]),
    'Environment: local',
    ...(text === undefined ? [] : [`Reason: ${text}`]),
  ].flatMap((line) => ['', line])
  const from = above.length + 1
  const isAbove = [...above, ''].every((line, at) => dialog[at] === line)
  const shown = dialog.slice(from)
  // Wrapped lines are not told from the command's own: the width is not known.
  return (
    isAbove &&
    shown.splice(-2).every((line) => line === '') &&
    isDrawn(`$ ${textIn(command)}`, shown, Number.POSITIVE_INFINITY)
  )
}

function areChoices(lines: readonly string[]): boolean {
  const end = lines.indexOf('')
  return end > 0 && DENY.test(lines[end - 1] ?? '') && isFoot(lines.slice(end + 1))
}

function isFoot(lines: readonly string[]): boolean {
  return lines.length === 1 && FOOT.test(lines[0] ?? '')
}

function answered(asked: AskedCall, screen: string, choice: RequestChoice | undefined): AnswerKeys {
  const [question, ...more] = asked.questions
  if (!question || more.length > 0)
    return { why: 'several answers can only be given in its terminal' }
  if (!isQuestionOn(question, linesOf(screen))) return { why: ANOTHER }
  if (!choice) return { keys: [] }
  if (choice.word?.trim()) return { why: TAKES_NO_WORD }
  if (choice.choice === 'deny') return { keys: ['Escape'] }
  const given = [choice.answers?.[question.question] ?? []].flat()
  const place = question.options.findIndex(({ label }) => given.length === 1 && label === given[0])
  if (place < 0) return { why: 'your own words can only be typed in its terminal' }
  return { keys: [String(place + 1)] }
}

const ASKS_ONE = '  Question 1/1 (1 unanswered)'
const NONE_OF_THEM = 'None of the above'
const SUBMIT = '  tab to add notes | enter to submit answer | esc to interrupt'

function isQuestionOn(
  { question, options }: AskedCall['questions'][number],
  lines: readonly string[],
): boolean {
  const head = lines.lastIndexOf(ASKS_ONE)
  const [text, space, ...rest] = lines.slice(head + 1)
  const drawn = rest.slice(0, options.length + 1)
  const below = rest.slice(options.length + 1)
  if (head < 0 || text !== `  ${question}` || space !== '') return false
  if (below.length !== 2 || below[0] !== '' || below[1] !== SUBMIT) return false
  const all = [...options.map(({ label, description }) => [label, description]), [NONE_OF_THEM]]
  return all.every(([label, description], at) => {
    const [, number, words = ''] = /^ {2}[› ] (\d)\. (.*)$/.exec(drawn[at] ?? '') ?? []
    if (Number(number) !== at + 1 || !words.startsWith(label ?? '')) return false
    const more = words.slice(label?.length)
    if (at === options.length) return / {2,}\S/.test(more)
    return description ? /^ {2,}/.test(more) && more.trimStart() === description : more === ''
  })
}

/** Without empty lines at the end. */
function linesOf(screen: string): readonly string[] {
  const lines = screen.split('\n').map((line) => line.trimEnd())
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}
