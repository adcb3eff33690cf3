import type { OpenRequest, RequestAnswer, RequestQuestion } from '../../../protocol/request.ts'

/** The user's choices for one question so far. */
export interface Choice {
  readonly picked: readonly string[]
  /** A free answer; it counts if `own` is set. */
  readonly own: boolean
  readonly words: string
}

export const NOTHING_CHOSEN: Choice = { picked: [], own: false, words: '' }

export function picked(choice: Choice, { several }: RequestQuestion, label: string): Choice {
  if (!several) return { ...choice, picked: [label], own: false }
  const without = choice.picked.filter((one) => one !== label)
  const isNew = without.length === choice.picked.length
  return { ...choice, picked: isNew ? [...choice.picked, label] : without }
}

export function ownPicked(choice: Choice, { several }: RequestQuestion): Choice {
  return several ? { ...choice, own: !choice.own } : { ...choice, own: true, picked: [] }
}

function isAnswered({ picked, own, words }: Choice): boolean {
  return own ? words.trim() !== '' : picked.length > 0
}

/** The answers to all questions; undefined while one is open. */
export function answersOf(
  { questions }: Pick<OpenRequest, 'questions'>,
  choices: readonly Choice[],
): RequestAnswer | null {
  const answers: Record<string, string | readonly string[]> = {}
  for (const [at, one] of questions.entries()) {
    const choice = choices[at] ?? NOTHING_CHOSEN
    if (!isAnswered(choice)) return null
    // In the order of the options, whatever order they were picked in.
    const labels = one.options.map(({ label }) => label).filter((l) => choice.picked.includes(l))
    const all = choice.own ? [...labels, choice.words.trim()] : labels
    answers[one.question] = one.several ? all : (all.at(-1) ?? '')
  }
  return { choice: 'answer', answers, where: 'page' }
}

export function allowing(suggestion?: number): RequestAnswer {
  return { choice: 'allow', where: 'page', ...(suggestion !== undefined && { suggestion }) }
}

export function denying(word: string): RequestAnswer {
  const said = word.trim()
  return { choice: 'deny', where: 'page', ...(said !== '' && { word: said }) }
}
