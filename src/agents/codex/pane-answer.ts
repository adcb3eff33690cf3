import type { AskedCall } from '../answers.ts'
import { isDrawn, outdented, screenLines } from '../drawn-text.ts'
import { paneAnswersOf } from '../pane-answers.ts'
import { fields, textIn } from '../read.ts'

/** SPEC CX47. Seen in 0.166.0. The dialog of an edit shows its files, not what changes. */
export const codexPaneAnswers = paneAnswersOf({
  commandTool: 'Bash',
  commandOn: (asked, screen) => isCommandOn(asked, screenLines(screen)) || undefined,
  keysOf: (_, choice) => ({ keys: [choice === 'allow' ? 'y' : 'Escape'] }),
  isQuestionOn: (question, screen) => isQuestionOn(question, screenLines(screen)),
})

const HEAD = '  Would you like to run the following command?'
const ALLOW = '› 1. Yes, proceed (y)'
const DENY = /^ {2}\d\. No, and tell Codex what to do differently \(esc\)$/
const FOOT = /^ {2}Press enter to confirm or esc to cancel( or o to open thread)?$/

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
