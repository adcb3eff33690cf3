import type { InputLayout, RequestChoice, Suggestion } from '../../protocol/request.ts'
import type { Answers, AskedCall, Misfit } from '../answers.ts'
import { type Fields, fields, list, textIn } from '../read.ts'
import { askedInHook, FOR_SESSION, PATCHES } from './answer-request.ts'
import { pendingInRollout } from './answer-rollout.ts'
import { isMcpTool, MCP_LAYOUT, mcpAnswer, mcpSuggestions } from './mcp-request.ts'

/** SPEC CX43. Answers in the form of the client's server. */
export const codexAnswers: Answers = {
  askedIn: askedInHook,
  // The client draws no dialog before its hooks have ended (CX21).
  waits: () => false,
  pendingIn: pendingInRollout,
  suggestionsOf,
  outputOf: (asked, choice) => {
    const output = decided(asked, choice)
    return isMisfit(output) ? output : { output }
  },
  layoutOf: (tool) => {
    if (isMcpTool(tool)) return MCP_LAYOUT
    return (Object.hasOwn(LAYOUTS, tool) ? LAYOUTS[tool] : undefined) ?? RUNS
  },
}

const RUNS: InputLayout = {
  parts: [
    { role: 'command', field: 'command' },
    { role: 'command', field: 'cmd' },
    { role: 'path', field: 'cwd' },
  ],
  explains: ['reason', 'shell'],
}

const LAYOUTS: Readonly<Record<string, InputLayout>> = {
  [PATCHES]: {
    parts: [
      { role: 'changes', field: 'changes', path: 'path', after: 'after', replaces: 'before' },
    ],
    explains: ['reason'],
  },
  request_user_input: { parts: [{ role: 'questions', field: 'questions' }], explains: [] },
}

/** Only what can be put into words, as the client's own dialog does. */
function suggestionsOf({
  kind,
  tool,
  offers,
}: Pick<AskedCall, 'kind' | 'tool' | 'offers'>): readonly Suggestion[] {
  if (kind === 'question') return []
  if (isMcpTool(tool)) return mcpSuggestions(offers)
  return offers.flatMap((offer, index) => {
    const words = offer === FOR_SESSION ? sessionWords(tool) : offerWords(fields(offer))
    return words === undefined ? [] : [{ index, words }]
  })
}

function sessionWords(tool: string): string {
  const what = tool === PATCHES ? 'changes to these files' : 'this command'
  return `always allow ${what} in this session`
}

function offerWords(offer: Fields): string | undefined {
  const amended = fields(offer.acceptWithExecpolicyAmendment).execpolicy_amendment
  const words = list(amended).map(textIn)
  if (words.length > 0 && !words.includes(undefined))
    return `always allow commands that start with ${words.join(' ')} in every project`
  const network = fields(fields(offer.applyNetworkPolicyAmendment).network_policy_amendment)
  const host = textIn(network.host)
  return network.action === 'allow' && host !== undefined
    ? `always allow connections to ${host}`
    : undefined
}

function decided(asked: AskedCall, choice: RequestChoice): Fields | Misfit {
  switch (choice.choice) {
    case 'allow':
      return allowed(asked, choice)
    case 'deny':
      return denied(asked, choice)
    case 'answer':
      return answered(asked, choice)
  }
}

function allowed(asked: AskedCall, { suggestion, word, answers }: RequestChoice): Fields | Misfit {
  if (asked.kind === 'question')
    return misfit('choice', 'a question cannot be allowed; answer it or deny it')
  if (word !== undefined) return misfit('word', 'a message to the agent can only be sent with deny')
  if (answers !== undefined) return misfit('answers', `${asked.tool} asks no question`)
  // SPEC SH4. The user has not seen all of it.
  if (asked.cut) return misfit('choice', TOO_LONG)
  if (asked.tool === PATCHES && list(fields(asked.input).changes).length === 0)
    return misfit('choice', 'what it changes is not known here; answer it in its terminal')
  const isMcp = isMcpTool(asked.tool)
  if (suggestion === undefined) return isMcp ? mcpAnswer('accept') : { decision: 'accept' }
  if (!suggestionsOf(asked).some(({ index }) => index === suggestion))
    return misfit('suggestion', 'the client has no suggestion with this number')
  const offer = asked.offers[suggestion]
  return isMcp ? mcpAnswer('accept', offer) : { decision: offer }
}

const TOO_LONG = 'the request is too long to be answered from here'

/** The turn continues; a message is sent after it. A question is left without an answer. */
function denied(asked: AskedCall, { suggestion, answers, word }: RequestChoice): Fields | Misfit {
  if (asked.actor !== null && word?.trim())
    return misfit('word', 'a subagent takes no message; deny without one')
  if (suggestion !== undefined)
    return misfit('suggestion', 'a suggestion can only be chosen with allow')
  if (answers !== undefined) return misfit('answers', 'answers can only be given with "answer"')
  if (asked.kind === 'question') return { answers: {} }
  return isMcpTool(asked.tool) ? mcpAnswer('decline') : { decision: 'decline' }
}

function answered(asked: AskedCall, { answers, suggestion, word }: RequestChoice): Fields | Misfit {
  if (asked.kind !== 'question')
    return misfit('choice', `${asked.tool} asks no question; allow or deny it`)
  if (suggestion !== undefined)
    return misfit('suggestion', 'a suggestion can only be chosen with allow')
  if (word !== undefined)
    return misfit('word', 'a message cannot be sent with an answer; give your own words')
  if (asked.cut) return misfit('choice', TOO_LONG)
  const told = new Map(Object.entries(answers ?? {}))
  const given: Record<string, { readonly answers: readonly string[] }> = {}
  for (const question of asked.offers.map(fields)) {
    const [text, id] = [textIn(question.question) ?? '', textIn(question.id) ?? '']
    const words = [told.get(text) ?? []].flat().map((part) => part.trim())
    const why = whyNot(question, words)
    if (why !== undefined) return misfit('answers', `${text}: ${why}`)
    given[id] = { answers: words }
    told.delete(text)
  }
  const [unasked] = told.keys()
  if (unasked !== undefined) return misfit('answers', `the request has no question ${unasked}`)
  return { answers: given }
}

/** `isOther`: the client takes words of the user's own. */
function whyNot({ options, isOther, isSecret }: Fields, words: readonly string[]) {
  if (isSecret === true) return 'a secret is typed in its terminal only'
  if (words.length !== 1 || words[0] === '') return 'expected one answer'
  const labels = list(options).map((option) => fields(option).label)
  if (labels.length > 0 && isOther !== true && !labels.includes(words[0]))
    return 'expected one of its options'
  return undefined
}

function misfit(field: Misfit['field'], words: string): Misfit {
  return { field, misfit: words }
}

function isMisfit(output: Fields | Misfit): output is Misfit {
  return 'misfit' in output
}
