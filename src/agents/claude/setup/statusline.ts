import { shellWord } from '../../../core/shell-word.ts'
import { refill, removeChild, splice } from '../../../edit/children.ts'
import {
  broken,
  childrenOf,
  indexOfKey,
  type JsonNode,
  memberOf,
  parseSettings,
} from '../../../edit/document.ts'
import { type Edited, insertAt } from '../../../edit/json-hooks.ts'
import type { Wrapped } from './memory.ts'

/** SPEC I10. Replaces the user's command with vigil's script, and leaves the rest unchanged. */
export function wrapStatusline(
  edited: Edited,
  script: string,
  name: string,
): Edited & { readonly wrapped: Wrapped } {
  const { text, hollow } = edited
  const command = commandIn(text, parseSettings(text, name), name)
  if (!command) {
    const value = { type: 'command', command: shellWord(script) }
    const added = insertAt(edited, [], { key: 'statusLine', value }, name)
    return { ...added, wrapped: { literal: null } }
  }
  const end = command.offset + command.length
  const wrapped = { literal: text.slice(command.offset, end) }
  const piece = JSON.stringify(shellWord(script))
  return { text: splice(text, command.offset, end, piece), hollow, wrapped }
}

/** Restores the user's own; a status line that another program set meanwhile stays. */
export function unwrapStatusline(
  { text, hollow }: Edited,
  script: string,
  wrapped: Wrapped | undefined,
  name: string,
): string {
  const root = parseSettings(text, name)
  const line = memberOf(root, 'statusLine')
  const command = line?.type === 'object' ? memberOf(line, 'command') : undefined
  if (command?.value !== shellWord(script)) return text
  if (wrapped?.literal)
    return splice(text, command.offset, command.offset + command.length, wrapped.literal)
  const rest = removeChild(text, root, indexOfKey(root, 'statusLine'))
  if (childrenOf(root).length > 1) return rest
  return refill(rest, parseSettings(rest, name), hollow[''] ?? '')
}

function commandIn(text: string, root: JsonNode, name: string): JsonNode | undefined {
  const line = memberOf(root, 'statusLine')
  if (!line) return undefined
  const command = line.type === 'object' ? memberOf(line, 'command') : undefined
  if (command?.type === 'string') return command
  const what = '"statusLine": expected a command to pass through, found none'
  throw broken(name, text, line.offset, what)
}
