import { spelled } from '../../view/safe.ts'
import { plain } from '../../view/session.ts'
import type { TerminalLine } from './picture.ts'
import { requestLines } from './request-lines.ts'
import type { AnswerDraft } from './state.ts'
import { fitted, wrapped, wrappedWhole } from './text.ts'

/** The request that the user answers, and the choices so far. */
export function answerLines(answering: AnswerDraft, width: number): readonly TerminalLine[] {
  const { request } = answering
  const asked = requestLines(request, width)
  switch (answering.mode) {
    case 'word':
      return [
        title(
          `${request.kind === 'plan' ? 'reject' : 'deny'}, with a message to the agent:`,
          width,
        ),
        typed(answering.text, width),
        [],
        ...asked,
      ]
    case 'suggestion':
      return [
        title('allow, and from now on:', width),
        ...request.suggestions.flatMap(({ words }, i) => option(i, words, { width })),
        [],
        ...asked,
      ]
    case 'question':
      return questionLines(answering, width)
  }
}

function questionLines(
  { request, at, cursor, chosen, own }: Extract<AnswerDraft, { mode: 'question' }>,
  width: number,
): readonly TerminalLine[] {
  const question = request.questions[at]
  if (!question) return []
  const { length } = request.questions
  const count = length > 1 ? `${at + 1} of ${length}: ` : ''
  const labels = chosen[at] ?? []
  const ownOnes = labels.filter((label) => !question.options.some((one) => one.label === label))
  return [
    ...wrapped(`${count}${question.question}`, width, 3).map(
      (text): TerminalLine => [{ text, bold: true, colour: 'yellow' }],
    ),
    ...question.options.flatMap(({ label, description }, i) =>
      option(i, description === null ? label : `${label}: ${description}`, {
        width,
        several: question.several,
        chosen: labels.includes(label),
        under: own === null && cursor === i,
      }),
    ),
    ...ownOnes.flatMap((label) => option(undefined, label, { width, several: true, chosen: true })),
    own === null ? hint('o  your own answer') : typed(own, width),
  ]
}

interface Look {
  readonly width: number
  readonly several?: boolean
  readonly chosen?: boolean
  readonly under?: boolean
}

function option(index: number | undefined, words: string, look: Look): readonly TerminalLine[] {
  const { width, several = false, chosen = false, under = false } = look
  const number = index === undefined || index > 8 ? '   ' : `${index + 1}. `
  const box = several || chosen ? `[${chosen ? 'x' : ' '}] ` : ''
  const head = `${under ? '› ' : '  '}${number}${box}`
  const room = Math.max(1, width - head.length)
  const lines = spelled(words)
    .split('\n')
    .flatMap((line) => wrappedWhole(line, room))
  return lines.map((text, i) => [
    { text: i === 0 ? head : ' '.repeat(head.length), bold: under },
    { text, bold: under || chosen },
  ])
}

function title(text: string, width: number): TerminalLine {
  return [{ text: fitted(text, width), bold: true }]
}

function hint(text: string): TerminalLine {
  return [{ text: `  ${text}`, dim: true }]
}

/** Shows the end of the typed text. */
function typed(text: string, width: number): TerminalLine {
  const room = Math.max(1, width - 4)
  const letters = [...text]
  const shown = letters.length > room ? `…${letters.slice(-room + 1).join('')}` : text
  return [
    { text: '› ', dim: true },
    { text: plain(shown, room + 1) },
    { text: '▏', colour: 'blue' },
  ]
}
