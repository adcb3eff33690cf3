import { shownPath } from '../../core/shown-path.ts'
import type { WaitingFor } from '../../core/signal.ts'
import { cutWord, type Fields, fields, list, textIn } from '../read.ts'

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

/** Limits on values and on characters of each: simultaneous calls differ well before that. */
const FINGERPRINT_VALUES_MAX = 64
const FINGERPRINT_CHARS_MAX = 256

/**
 * PermissionRequest has no tool id, so equal input links it to its PreToolUse (SPEC W4). Inputs may
 * be megabytes and nested: length and head of the first values distinguish open calls.
 */
export function inputFingerprint(input: unknown): string {
  let hash = 0x811c9dc5
  const mix = (part: string) => {
    for (let i = 0; i < part.length && i < FINGERPRINT_CHARS_MAX; i++)
      hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ part.length, 0x01000193)
  }
  const queue: unknown[] = [input]
  for (let i = 0; i < queue.length && i < FINGERPRINT_VALUES_MAX; i++) {
    const value = queue[i]
    if (typeof value !== 'object' || value === null) {
      mix(`${typeof value}${String(value)}`)
      continue
    }
    const keys = Object.keys(value).slice(0, FINGERPRINT_VALUES_MAX)
    mix(keys.join())
    queue.push(...keys.map((key) => (value as Fields)[key]))
  }
  return (hash >>> 0).toString(36)
}
