import { z } from 'zod'
import type { MessagesRequest } from '../../model/request.ts'

const Part = z.looseObject({ text: z.string().optional() })
const Item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  call_id: z.string().optional(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
})

/** The part of a request to the Responses API that the stand-in needs. */
export const ResponsesRequest = z.looseObject({ model: z.string(), input: z.array(Item) })
export type ResponsesRequest = z.infer<typeof ResponsesRequest>
type Item = z.infer<typeof Item>

/** What the client says of a request in a header. */
const Metadata = z.looseObject({
  thread_id: z.string().optional(),
  agent_name: z.string().optional(),
  request_kind: z.string().optional(),
})
export type Metadata = z.infer<typeof Metadata>

export function metadataOf(header: unknown): Metadata {
  try {
    return Metadata.parse(JSON.parse(String(header)))
  } catch {
    return {}
  }
}

/** The client has a title written for each first prompt, in a hidden thread. */
export function isTitleCall({ input }: ResponsesRequest): boolean {
  return input.some((item) => /^Generate a concise, single-line task title/.test(textOf(item)))
}

/** Models with code mode get their tools in the conversation, and call all by one, `exec`. */
export function isCodeMode({ input }: ResponsesRequest): boolean {
  return input.some(({ type }) => type === 'additional_tools')
}

/** The number of the terminal that runs on in the background, as the last output named it. */
export function terminalIn({ input }: ResponsesRequest): number {
  const named = JSON.stringify(input).matchAll(/session[_ ]id[^0-9]{1,12}(\d+)/gi)
  return Number([...named].at(-1)?.[1] ?? 0)
}

/** The same conversation in the words of the other API, so that one chooser serves both. */
export function asMessages(
  { model, input }: ResponsesRequest,
  thread: string | undefined,
): MessagesRequest {
  const answers = new Answers()
  const messages = input.flatMap((item) => {
    if (isPrompt(item)) {
      answers.pause()
      return [{ role: 'user', content: textOf(item) }]
    }
    return answers.isNew(item) ? [{ role: 'assistant', content: '' }] : []
  })
  return { model, messages, metadata: { user_id: thread ?? '' } }
}

/** What a parent sends to its subagent is a prompt, too. */
function isPrompt({ type, role }: Item): boolean {
  return (type === 'message' && role === 'user') || type === 'agent_message'
}

function textOf(item: Item): string {
  if (item.type === 'agent_message') return JSON.stringify(item)
  if (item.type !== 'message') return ''
  const { content } = item
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n')
}

/** Text and calls of one answer are items of their own; the calls name their answer. */
class Answers {
  readonly #seen = new Set<string>()
  /** The answer that the last items belong to; empty: text of an answer without a name yet. */
  #open: string | undefined

  pause(): void {
    this.#open = undefined
  }

  isNew({ type, role, call_id }: Item): boolean {
    if (type?.endsWith('_output')) this.pause()
    const answer = type?.endsWith('_call') ? answerIn(call_id) : undefined
    if (answer === undefined) return role === 'assistant' && this.#text()
    const isTextFirst = this.#open === ''
    this.#open = answer
    if (this.#seen.has(answer)) return false
    this.#seen.add(answer)
    return !isTextFirst
  }

  #text(): boolean {
    if (this.#open !== undefined) return false
    this.#open = ''
    return true
  }
}

/** The id of a call: its answer, and its number in it. */
export function callId(answer: string, number: number): string {
  return `call_${answer}_${number}`
}

function answerIn(id: string | undefined): string | undefined {
  return /^call_(.+)_\d+$/.exec(id ?? '')?.[1]
}
