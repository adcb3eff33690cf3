import { z } from 'zod'

const Block = z.looseObject({ type: z.string(), text: z.string().optional() })
const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(Block)]),
})

/** As much of a request to the Messages API as the stand-in needs; the rest is kept. */
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
 * What its user typed, in order. The client writes reminders, command echoes and task notices in
 * its user's place; they begin with a tag and are no prompts. A command typed behind `!` has a tag
 * too, and is answered.
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

/** Titles, topics and quota checks come without tools; the conversation itself never does. */
export function isSideCall(request: MessagesRequest): boolean {
  return (request.tools ?? []).length === 0
}
