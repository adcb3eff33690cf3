import { fields, fieldsInLine, list, textIn } from '../read.ts'
import type { LastWords } from '../records.ts'

const SAID_MAX = 3

/** `tool`: the tool of the request; its newest call is returned. */
export function talkIn(lines: readonly string[], tool: string | undefined): LastWords {
  const said: string[] = []
  let call: LastWords['call'] = null
  for (const line of lines.toReversed()) {
    if (said.length >= SAID_MAX && (call || tool === undefined)) break
    const entry = fieldsInLine(line)
    if (entry.type !== 'assistant' || entry.isApiErrorMessage === true) continue
    for (const block of list(fields(entry.message).content).toReversed().map(fields)) {
      const words = block.type === 'text' ? textIn(block.text)?.trim() : undefined
      if (words && said.length < SAID_MAX) said.unshift(words)
      if (block.type === 'tool_use' && block.name === tool)
        call ??= { tool: tool ?? '', input: block.input ?? null }
    }
  }
  return { said, call }
}
