import type { Happening } from '../../core/signal.ts'
import { type Fields, fields, given, list, shortText, textIn } from '../read.ts'
import { isDialog, isQuietTool, labelOf, waitingForTool } from './tools.ts'

/** Stop reasons that end a turn. After any other a tool call or more blocks follow. */
const LAST_WORDS = new Set(['end_turn', 'stop_sequence'])

export function fromAssistant(entry: Fields, actor: string | undefined): Happening[] {
  const message = fields(entry.message)
  if (entry.isApiErrorMessage === true) {
    const cause = shortText(entry.error) ?? 'unknown'
    return actor === undefined ? [{ kind: 'turn-failed', cause }] : []
  }
  // Filler that the client writes on resume and fork; no model wrote it.
  if (message.model === '<synthetic>') return []
  const calls = list(message.content)
    .map(fields)
    .filter((block) => block.type === 'tool_use')
    .flatMap((block) => called(block, entry.cwd, actor))
  const spoke: Happening = { kind: 'spoke', ...given({ actor }) }
  if (!LAST_WORDS.has(textIn(message.stop_reason) ?? '')) return [spoke, ...calls]
  return [
    spoke,
    actor === undefined ? { kind: 'turn-ended', how: 'done' } : { kind: 'task-ended', id: actor },
  ]
}

function called(block: Fields, folder: unknown, actor: string | undefined): Happening[] {
  const id = shortText(block.id)
  const name = shortText(block.name)
  if (!id || !name) return []
  const label = labelOf(block.input, folder)
  const started: Happening = {
    kind: 'tool-started',
    id,
    name,
    input: '',
    quiet: isQuietTool(name),
    ...given({ label, actor }),
  }
  if (!isDialog(name)) return [started]
  const kind = waitingForTool(name)
  return [
    started,
    {
      kind: 'request-opened',
      for: kind,
      tool: name,
      input: '',
      id,
      ...given({ text: label, actor }),
    },
  ]
}
