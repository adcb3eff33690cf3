import type { RequestQuestion } from '../../protocol/request.ts'
import { spelled } from '../../view/safe.ts'
import { BadInput } from './bad-input.ts'

type Answers = Readonly<Record<string, string | readonly string[]>>

/**
 * Parses the words after `pick` as answers: one word for each question, in order. A word is the
 * number of an option, its label, several of either separated by commas, or a free answer.
 */
export function pickedAnswers(
  questions: readonly RequestQuestion[],
  words: readonly string[],
): Answers {
  if (questions.length === 0)
    throw new BadInput('pick: this request is not a question; use allow or deny')
  if (words.length !== questions.length)
    throw new BadInput(
      `pick: expected ${questions.length === 1 ? 'one answer' : `${questions.length} answers`}, ` +
        `got ${words.length}. The questions are:`,
      2,
      questionLines(questions),
    )
  return Object.fromEntries(questions.map((one, i) => [one.question, picked(one, words[i] ?? '')]))
}

function picked(question: RequestQuestion, word: string): string | readonly string[] {
  const whole = labelOf(question, word)
  if (whole !== undefined) return whole
  const parts = word.split(',').map((part) => labelOf(question, part))
  const labels = parts.filter((label) => label !== undefined)
  if (labels.length < parts.length || parts.length < 2) return ownWords(question, word)
  if (!question.several)
    throw new BadInput(
      `pick ${word}: only one option can be chosen. The options are:`,
      2,
      linesOf(question),
    )
  return labels
}

function labelOf({ options }: RequestQuestion, word: string): string | undefined {
  const wanted = word.trim()
  const byLabel = options.find(({ label }) => label.toLowerCase() === wanted.toLowerCase())
  if (byLabel) return byLabel.label
  return /^\d+$/.test(wanted) ? options[Number(wanted) - 1]?.label : undefined
}

/** A number without an option is a typing error, not a free answer. */
function ownWords(question: RequestQuestion, word: string): string {
  if (word.trim() === '' || /^[\d,\s]+$/.test(word))
    throw new BadInput(`pick ${word}: no such option. The options are:`, 2, linesOf(question))
  return word
}

function questionLines(questions: readonly RequestQuestion[]): readonly string[] {
  return questions.flatMap((one) => [
    `  ${spelled(one.question)}${one.several ? ' (several may be chosen)' : ''}`,
    ...linesOf(one),
  ])
}

function linesOf({ options }: RequestQuestion): string[] {
  return options.map(({ label, description }, i) => {
    const more = description === null ? '' : `: ${spelled(description)}`
    return `    ${i + 1}. ${spelled(label)}${more}`
  })
}
