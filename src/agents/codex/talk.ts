import { fields, fieldsInLine, list, textIn } from '../read.ts'
import type { LastWords } from '../records.ts'
import { callIn } from './rollout-calls.ts'

const SAID_MAX = 3

/** `tool`: the tool of the request, by its name in hooks; its newest call is returned. */
export function rolloutTalk(lines: readonly string[], tool: string | undefined): LastWords {
  const said: string[] = []
  let call: LastWords['call'] = null
  for (const line of lines.toReversed()) {
    if (said.length >= SAID_MAX && (call || tool === undefined)) break
    const { type, payload } = fieldsInLine(line)
    const item = fields(payload)
    if (type !== 'response_item') continue
    if (item.type === 'message' && item.role === 'assistant' && said.length < SAID_MAX)
      said.unshift(...textsOf(item.content).slice(said.length - SAID_MAX))
    const called = callIn(item)
    if (called !== undefined && called.tool === tool) call ??= called
  }
  return { said, call }
}

function textsOf(content: unknown): string[] {
  return list(content).flatMap((part) => textIn(fields(part).text)?.trim() || [])
}
