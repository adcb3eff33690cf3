import type { RequestChoice } from '../protocol/request.ts'
import type { Answers, AskedCall, Misfit } from './answers.ts'
import type { Fields } from './read.ts'

type Deciding<Asked, Output> = Pick<Answers, 'suggestionsOf'> & {
  readonly outputOf: (asked: Asked, choice: RequestChoice) => { readonly output: Output } | Misfit
}

/**
 * What an agent's hook prints for a choice, or why the choice does not fit the request. What fits
 * no agent's request is refused here, so that no agent can forget it.
 */
export function decisionOf<Asked extends AskedCall, Output extends Fields>(
  { suggestionsOf, outputOf }: Deciding<Asked, Output>,
  asked: Asked,
  choice: RequestChoice,
): { readonly output: Output } | Misfit {
  const unfit = UNFIT[choice.choice](asked, choice)
  if (unfit) return unfit
  const { suggestion } = choice
  if (suggestion === undefined || suggestionsOf(asked).some(({ index }) => index === suggestion))
    return outputOf(asked, choice)
  return misfit('suggestion', 'the client has no suggestion with this number')
}

export function misfit(field: Misfit['field'], words: string): Misfit {
  return { field, misfit: words }
}

type Unfit = (asked: AskedCall, choice: RequestChoice) => Misfit | undefined

const UNFIT: Readonly<Record<RequestChoice['choice'], Unfit>> = {
  allow: ({ kind, tool, cut }, { word, answers }) => {
    // Allowed without answers, a client reports to its agent that the user did not answer.
    if (kind === 'question')
      return misfit('choice', 'a question cannot be allowed; answer it or deny it')
    if (word !== undefined)
      return misfit('word', 'a message to the agent can only be sent with deny')
    if (answers !== undefined) return misfit('answers', `${tool} asks no question`)
    return cut ? TOO_LONG : undefined
  },
  deny: (_, { suggestion, answers }) => {
    if (suggestion !== undefined) return ONLY_ALLOWED
    if (answers !== undefined) return misfit('answers', 'answers can only be given with "answer"')
    return undefined
  },
  answer: ({ kind, tool, cut }, { suggestion, word }) => {
    if (kind !== 'question') return misfit('choice', `${tool} asks no question; allow or deny it`)
    if (suggestion !== undefined) return ONLY_ALLOWED
    if (word !== undefined) return misfit('word', NO_WORD)
    return cut ? TOO_LONG : undefined
  },
}

/** SPEC SH4. The user has not seen all of it. */
const TOO_LONG = misfit('choice', 'the request is too long to be answered from here')
const ONLY_ALLOWED = misfit('suggestion', 'a suggestion can only be chosen with allow')
const NO_WORD = 'a message cannot be sent with an answer; give your own words as the answer'
