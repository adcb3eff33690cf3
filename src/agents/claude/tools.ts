import { shownPath } from '../../core/shown-path.ts'
import type { WaitingFor } from '../../core/signal.ts'
import { cutWord, fields, list, textIn } from '../read.ts'

/**
 * Tools that read and change nothing (notify-tmux.md, BASE), and those that only talk to the user.
 */
const QUIET = new Set([
  'Read',
  'Grep',
  'Glob',
  'LS',
  'NotebookRead',
  'ToolSearch',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
])

export function isQuietTool(tool: string): boolean {
  return QUIET.has(tool)
}

/** SPEC W1. Two tools are dialogs themselves; a request for any other tool is a permission. */
export function waitingForTool(tool: string): WaitingFor {
  if (tool === 'AskUserQuestion') return 'question'
  return tool === 'ExitPlanMode' ? 'plan' : 'permission'
}

export function isDialog(tool: string): boolean {
  return waitingForTool(tool) !== 'permission'
}

/** SPEC VW23. What the user approves comes before the model's description of it. */
const LABELS = ['command', 'url', 'query', 'pattern', 'skill', 'plan', 'description']
const PATHS = ['file_path', 'notebook_path']

/** What a call is about: a command, a file within its folder, a question; or its description. */
export function labelOf(input: unknown, folder?: unknown): string | undefined {
  const given = fields(input)
  const file = PATHS.flatMap((key) => textIn(given[key]) ?? [])[0]
  if (file !== undefined) return cutWord(shownPath(file, { folder: textIn(folder) }).text)
  const question = textIn(fields(list(given.questions)[0]).question)
  const label = question ?? LABELS.flatMap((key) => textIn(given[key]) ?? [])[0]
  return label === undefined ? undefined : cutWord(label)
}
