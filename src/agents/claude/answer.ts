import type { RequestChoice } from '../../protocol/request.ts'
import type { AskedCall, Misfit } from '../answers.ts'
import { misfit } from '../choice.ts'
import { fields } from '../read.ts'

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

type Asks = Pick<AskedCall, 'kind' | 'input' | 'questions' | 'offers'>

/** SPEC AN1–AN4. A choice as the client's own decision, or why it does not fit this request. */
export function outputOf(asked: Asks, choice: RequestChoice): { readonly output: Output } | Misfit {
  const decision = decided(asked, choice)
  if ('misfit' in decision) return decision
  return { output: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } }
}

/** What the agent reads when its user denied without a text. */
export const DENIED_TEXT = 'The user denied this.'

function decided(asked: Asks, choice: RequestChoice): Decision | Misfit {
  if (choice.choice === 'answer') return answered(asked, choice)
  if (choice.choice === 'deny')
    return { behavior: 'deny', message: choice.word?.trim() || DENIED_TEXT }
  // Without its input the client asks again (2.1.325): it takes the plan from there.
  const plan = asked.kind === 'plan' ? { updatedInput: asked.input } : {}
  if (choice.suggestion === undefined) return { behavior: 'allow', ...plan }
  return { behavior: 'allow', ...plan, updatedPermissions: [asked.offers[choice.suggestion]] }
}

/** SPEC AN4. The client reads answers from the question's own input. */
function answered(asked: Asks, { answers }: RequestChoice): Decision | Misfit {
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
