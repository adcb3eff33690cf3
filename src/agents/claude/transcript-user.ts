import type { Happening } from '../../core/signal.ts'
import { type Fields, fields, given, list, shortText, textIn } from '../read.ts'
import { endedByNotice, isTaskNotice, tasksOf } from './tasks.ts'

/**
 * SPEC X7. Exactly these, as the only block of an entry; 57 tool results in one corpus quote them.
 */
const INTERRUPTS = new Set([
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
])

const FEEDBACK = 'Stop hook feedback:'

/** Entries of type user that the user did not type as a prompt. */
const NOT_PROMPTS = ['<command-', '<local-command-', '<bash-stdout>', '<bash-stderr>']

/** SPEC L1. `/clear`: the same process continues under a new id. */
export function cleared(): Happening {
  return { kind: 'opened', how: 'clear', continues: true }
}

export function fromUser(entry: Fields, actor: string | undefined): Happening[] {
  const { content } = fields(entry.message)
  const turn = given({ turn: shortText(entry.promptId) })
  // The client shuts down mid-turn and writes an interrupt that the user did not cause.
  if (entry.interruptedByShutdown === true || entry.isCompactSummary === true) return []
  if (typeof content === 'string') return fromText(content, entry, actor)
  const blocks = list(content).map(fields)
  if (entry.isMeta !== true && isInterrupt(entry, blocks))
    return [
      actor === undefined
        ? { kind: 'turn-interrupted', ...turn }
        : { kind: 'task-ended', id: actor },
    ]
  const answers = blocks.filter((block) => block.type === 'tool_result')
  if (answers.length > 0) return answered(answers, entry, actor)
  if (blocks.length === 0) return []
  // A picture may stand alone; it is a prompt all the same.
  const first = blocks.find((block) => block.type === 'text')
  return fromText(textIn(first?.text) ?? '', entry, actor)
}

function isInterrupt(entry: Fields, blocks: readonly Fields[]): boolean {
  const [only] = blocks
  if (blocks.length !== 1 || only?.type !== 'text') return false
  return INTERRUPTS.has(textIn(only.text) ?? '') || textIn(entry.interruptedMessageId) !== undefined
}

function answered(
  answers: readonly Fields[],
  entry: Fields,
  actor: string | undefined,
): Happening[] {
  const ended = answers.flatMap((answer): Happening[] => {
    const id = shortText(answer.tool_use_id)
    return id ? [{ kind: 'tool-ended', id, ...given({ actor }) }] : []
  })
  return [...ended, ...tasksOf(entry.toolUseResult)]
}

/** What the client writes in its user's name, and does not show. */
function fromMeta(said: string): Happening[] {
  if (said.startsWith(FEEDBACK)) return [{ kind: 'turn-started', by: 'hook' }]
  // After a command of the client's own: an interrupted compaction has no other end.
  return said.startsWith(LOCAL_COMMAND) ? [{ kind: 'compaction', open: false }] : []
}

const LOCAL_COMMAND = '<local-command-caveat>'

function fromText(said: string, entry: Fields, actor: string | undefined): Happening[] {
  // A subagent's prompt: its task began, or continues after it had ended.
  if (actor !== undefined)
    return entry.isMeta === true ? [] : [{ kind: 'task-started', id: actor, what: 'subagent' }]
  if (entry.isMeta === true) return fromMeta(said)
  if (said.startsWith('<command-name>/clear<')) return [cleared()]
  if (NOT_PROMPTS.some((opening) => said.startsWith(opening))) return []
  const by = isTaskNotice(said) ? 'task' : 'user'
  return [
    { kind: 'turn-started', by, ...given({ turn: shortText(entry.promptId) }) },
    ...endedByNotice(said),
  ]
}
