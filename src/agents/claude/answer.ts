import type { RequestChoice } from '../../protocol/request.ts'
import type { AskedCall, Misfit } from '../answers.ts'
import { fields } from '../read.ts'
import { suggestionsOf } from './answer-offers.ts'

/** What the client's hook prints to decide. */
type Output = {
  readonly hookSpecificOutput: {
    readonly hookEventName: 'PermissionRequest'
    readonly decision: Decision
  }
}

type Decision =
  | {
      readonly behavior: 'allow'
      readonly updatedInput?: unknown
      readonly updatedPermissions?: readonly unknown[]
    }
  | { readonly behavior: 'deny'; readonly message: string }

type Asks = Pick<AskedCall, 'kind' | 'tool' | 'input' | 'cut' | 'questions' | 'offers'>

/** SPEC AN1–AN4. A choice as the client's own decision, or why it does not fit this request. */
export function outputOf(asked: Asks, choice: RequestChoice): { readonly output: Output } | Misfit {
  const decision = DECIDES[choice.choice](asked, choice)
  if ('misfit' in decision) return decision
  return { output: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } }
}

type Decide = (asked: Asks, choice: RequestChoice) => Decision | Misfit

const DECIDES: Readonly<Record<RequestChoice['choice'], Decide>> = {
  allow: allowed,
  deny: denied,
  answer: answered,
}

function allowed(asked: Asks, { suggestion, word, answers }: RequestChoice): Decision | Misfit {
  // Allowed without answers, the client reports to its agent that the user did not answer.
  if (asked.kind === 'question')
    return misfit('choice', 'a question cannot be allowed; answer it or deny it')
  if (word !== undefined) return misfit('word', 'a message to the agent can only be sent with deny')
  if (answers !== undefined) return misfit('answers', `${asked.tool} asks no question`)
  // SPEC SH4. The user has not seen all of it.
  if (asked.cut) return misfit('choice', TOO_LONG)
  // Without its input the client asks again (2.1.325): it takes the plan from there.
  const plan = asked.kind === 'plan' ? { updatedInput: asked.input } : {}
  if (suggestion === undefined) return { behavior: 'allow', ...plan }
  if (!suggestionsOf(asked).some(({ index }) => index === suggestion))
    return misfit('suggestion', 'the client has no suggestion with this number')
  return { behavior: 'allow', ...plan, updatedPermissions: [asked.offers[suggestion]] }
}

const TOO_LONG = 'the request is too long to be answered from here'

/** What the agent reads when its user denied without a text. */
export const DENIED_TEXT = 'The user denied this.'

function denied(_: Asks, { suggestion, word, answers }: RequestChoice): Decision | Misfit {
  if (suggestion !== undefined)
    return misfit('suggestion', 'a suggestion can only be chosen with allow')
  if (answers !== undefined) return misfit('answers', 'answers can only be given with "answer"')
  return { behavior: 'deny', message: word?.trim() || DENIED_TEXT }
}

/** SPEC AN4. The client reads answers from the question's own input. */
function answered(asked: Asks, { answers, suggestion, word }: RequestChoice): Decision | Misfit {
  if (asked.kind !== 'question')
    return misfit('choice', `${asked.tool} asks no question; allow or deny it`)
  if (suggestion !== undefined)
    return misfit('suggestion', 'a suggestion can only be chosen with allow')
  if (word !== undefined)
    return misfit(
      'word',
      'a message cannot be sent with an answer; give your own words as the answer',
    )
  if (asked.cut) return misfit('choice', TOO_LONG)
  const given = new Map(Object.entries(answers ?? {}))
  const told = new Map<string, string>()
  for (const { question, several } of asked.questions) {
    const answer = wordsOf(given.get(question), several)
    if (answer === undefined) return misfit('answers', `expected one answer to ${question}`)
    told.set(question, answer)
    given.delete(question)
  }
  const [unasked] = given.keys()
  if (unasked !== undefined) return misfit('answers', `the request has no question ${unasked}`)
  const updatedInput = { ...fields(asked.input), answers: Object.fromEntries(told) }
  return { behavior: 'allow', updatedInput }
}

/** Several answers are joined as in the client's own dialog. */
function wordsOf(answer: string | readonly string[] | undefined, several: boolean) {
  const parts = (typeof answer === 'string' ? [answer] : (answer ?? [])).map((part) => part.trim())
  if (parts.length === 0 || parts.includes('') || (parts.length > 1 && !several)) return undefined
  return parts.join(', ')
}

function misfit(field: Misfit['field'], words: string): Misfit {
  return { field, misfit: words }
}
