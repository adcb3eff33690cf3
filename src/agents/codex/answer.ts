import type { InputLayout, RequestChoice, Suggestion } from '../../protocol/request.ts'
import type { Answers, AskedCall, Misfit } from '../answers.ts'
import { misfit } from '../choice.ts'
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

function allowed(asked: AskedCall, { suggestion }: RequestChoice): Fields | Misfit {
  if (asked.tool === PATCHES && list(fields(asked.input).changes).length === 0)
    return misfit('choice', 'what it changes is not known here; answer it in its terminal')
  const isMcp = isMcpTool(asked.tool)
  if (suggestion === undefined) return isMcp ? mcpAnswer('accept') : { decision: 'accept' }
  const offer = asked.offers[suggestion]
  return isMcp ? mcpAnswer('accept', offer) : { decision: offer }
}

/** The turn continues; a message is sent after it. A question is left without an answer. */
function denied(asked: AskedCall, { word }: RequestChoice): Fields | Misfit {
  if (asked.actor !== null && word?.trim())
    return misfit('word', 'a subagent takes no message; deny without one')
  if (asked.kind === 'question') return { answers: {} }
  return isMcpTool(asked.tool) ? mcpAnswer('decline') : { decision: 'decline' }
}

function answered(asked: AskedCall, { answers }: RequestChoice): Fields | Misfit {
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

function isMisfit(output: Fields | Misfit): output is Misfit {
  return 'misfit' in output
}
