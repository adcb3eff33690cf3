import type { CallLine } from '../../agents/claude/talk.ts'
import { plain } from '../../view/session.ts'
import type { Line, Span } from './picture.ts'
import type { Answering } from './state.ts'
import { fitted, wrapped } from './text.ts'

/** What is being answered, and what was chosen so far. */
export function answerLines(answering: Answering, width: number): readonly Line[] {
  const { request } = answering
  const asked = askedLines(request.lines, width)
  switch (answering.mode) {
    case 'sure':
      return [title(`allow ${request.tool}?`, width), ...asked, hint('y or Enter allows it once')]
    case 'word':
      return [
        title(`${request.kind === 'plan' ? 'reject' : 'deny'}, and tell the agent:`, width),
        typed(answering.text, width),
        [],
        ...asked,
      ]
    case 'suggestion':
      return [
        title('allow, and from then on:', width),
        ...request.suggestions.map(({ words }, i) => option(i, words, { width })),
        [],
        ...asked,
      ]
    case 'question':
      return questionLines(answering, width)
  }
}

/** A request as it stands in the details. */
export function askedLines(lines: readonly CallLine[], width: number): readonly Line[] {
  return lines.flatMap(({ sign, text }) =>
    wrapped(text, width - 2, 6).map((part, i): Line => {
      const look = SIGNS[sign] ?? {}
      return [
        { text: `${i === 0 ? sign : ''}`.padEnd(2), ...look },
        { text: part, ...look },
      ]
    }),
  )
}

const SIGNS: Readonly<Record<string, Omit<Span, 'text'>>> = {
  '+': { colour: 'green' },
  '-': { colour: 'red' },
  $: { colour: 'yellow' },
  '?': { colour: 'yellow' },
}

function questionLines(
  { request, at, cursor, chosen, own }: Extract<Answering, { mode: 'question' }>,
  width: number,
): readonly Line[] {
  const question = request.questions[at]
  if (!question) return []
  const { length } = request.questions
  const count = length > 1 ? `${at + 1} of ${length}: ` : ''
  const labels = chosen[at] ?? []
  const ownOnes = labels.filter((label) => !question.options.some((one) => one.label === label))
  return [
    ...wrapped(`${count}${question.question}`, width, 3).map(
      (text): Line => [{ text, bold: true, colour: 'yellow' }],
    ),
    ...question.options.map(({ label, description }, i) =>
      option(i, description === null ? label : `${label}: ${description}`, {
        width,
        several: question.several,
        chosen: labels.includes(label),
        under: own === null && cursor === i,
      }),
    ),
    ...ownOnes.map((label) => option(undefined, label, { width, several: true, chosen: true })),
    own === null ? hint('o  words of your own') : typed(own, width),
  ]
}

interface Look {
  readonly width: number
  readonly several?: boolean
  readonly chosen?: boolean
  readonly under?: boolean
}

function option(index: number | undefined, words: string, look: Look): Line {
  const { width, several = false, chosen = false, under = false } = look
  const number = index === undefined || index > 8 ? '   ' : `${index + 1}. `
  const box = several || chosen ? `[${chosen ? 'x' : ' '}] ` : ''
  const head = `${under ? '› ' : '  '}${number}${box}`
  return [
    { text: head, bold: under },
    { text: fitted(words, Math.max(1, width - head.length)), bold: under || chosen },
  ]
}

function title(text: string, width: number): Line {
  return [{ text: fitted(text, width), bold: true }]
}

function hint(text: string): Line {
  return [{ text: `  ${text}`, dim: true }]
}

/** The end of what is typed is in sight. */
function typed(text: string, width: number): Line {
  const room = Math.max(1, width - 4)
  const letters = [...text]
  const shown = letters.length > room ? `…${letters.slice(-room + 1).join('')}` : text
  return [
    { text: '› ', dim: true },
    { text: plain(shown, room + 1) },
    { text: '▏', colour: 'blue' },
  ]
}
