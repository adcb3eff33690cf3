import { z } from 'zod'

const Block = z.looseObject({ type: z.string(), text: z.string().optional() })
const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(Block)]),
})

/** The part of a request to the Messages API that the stand-in needs; the rest is kept. */
export const MessagesRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  metadata: z.looseObject({ user_id: z.string().optional() }).optional(),
})

export type MessagesRequest = z.infer<typeof MessagesRequest>
export type Message = z.infer<typeof Message>

/**
 * The user's prompts, in order. The client also writes reminders, command echoes and task notices
 * in the user's role; they begin with a tag and are not prompts. A command typed after `!` has a
 * tag too, and is answered.
 */
export function promptsOf(message: Message): string[] {
  if (message.role !== 'user') return []
  const texts =
    typeof message.content === 'string'
      ? [message.content]
      : message.content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
  return texts
    .map((text) => text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, '').trim())
    .filter((text) => text !== '' && !/^<(?!bash-input>)[a-z-]+>/.test(text))
}

/** Requests for titles, topics and quota have no tools; the conversation always has. */
export function isSideCall(request: MessagesRequest): boolean {
  return (request.tools ?? []).length === 0
}
