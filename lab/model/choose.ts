import { type MessagesRequest, promptsOf } from './request.ts'
import { type Exchange, type Reply, type Script, say } from './script.ts'

export interface Choice {
  /** The prompt to answer. */
  readonly prompt: string
  /** The number of answers that the client has already since that prompt. */
  readonly step: number
  readonly reply: Reply
  /** False if the script has no reply: the answer then says so on the screen. */
  readonly scripted: boolean
}

/**
 * Chooses replies by the content of a request, not by their number: the client retries, runs
 * subagents at the same time and forgets on /clear, and each must find its own place.
 */
export function chooser(script: Script): (request: MessagesRequest) => Choice {
  const attempts = new Map<string, number>()
  return (request) => {
    const { prompt, at, exchange } = placeIn(script, request)
    const step = request.messages.slice(at + 1).filter(({ role }) => role === 'assistant').length
    const options = exchange ? (rounds(exchange)[step] ?? []) : []
    if (options.length === 0) return { prompt, step, ...unscripted(script, prompt, step) }
    const place = JSON.stringify([request.metadata?.user_id, at, step, prompt])
    const attempt = attempts.get(place) ?? 0
    attempts.set(place, attempt + 1)
    const reply = options[Math.min(attempt, options.length - 1)] ?? []
    return { prompt, step, reply, scripted: true }
  }
}

interface Place {
  readonly prompt: string
  readonly at: number
  readonly exchange?: Exchange
}

/** The last prompt that the script knows; prompts of one message count one by one. */
function placeIn(script: Script, { messages }: MessagesRequest): Place {
  const prompts = messages.flatMap((message, at) =>
    promptsOf(message).map((prompt) => ({ prompt, at })),
  )
  for (const { prompt, at } of prompts.toReversed()) {
    const exchange = script.exchanges.find((candidate) => fits(candidate.prompt, prompt))
    if (exchange) return { prompt, at, exchange }
  }
  return prompts.at(-1) ?? { prompt: '', at: -1 }
}

function fits(pattern: string | RegExp, prompt: string): boolean {
  return typeof pattern === 'string' ? prompt.includes(pattern) : pattern.test(prompt)
}

/** A reply that breaks leaves no answer with the client, so the next one goes to its retry. */
function rounds({ replies }: Exchange): Reply[][] {
  const found: Reply[][] = [[]]
  for (const reply of replies) {
    found.at(-1)?.push(reply)
    if (!reply.some(({ kind }) => kind === 'fail' || kind === 'drop')) found.push([])
  }
  return found
}

function unscripted(script: Script, prompt: string, step: number) {
  const start = JSON.stringify(prompt.slice(0, 60))
  const text = `Script ${script.name} has no reply ${step + 1} to ${start}.`
  return { reply: [say(text)], scripted: false }
}
