import type { WaitingFor } from '../../core/signal.ts'
import { cutWord, type Fields, fields, list, textIn } from '../read.ts'

/**
 * Tools that look and change nothing (notify-tmux.md, BASE), and those that only talk to the user.
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

/** SPEC W1. Two tools are dialogs by themselves; a request for any other is a permission. */
export function waitingForTool(tool: string): WaitingFor {
  if (tool === 'AskUserQuestion') return 'question'
  return tool === 'ExitPlanMode' ? 'plan' : 'permission'
}

export function isDialog(tool: string): boolean {
  return waitingForTool(tool) !== 'permission'
}

const LABELS = ['description', 'command', 'file_path', 'pattern', 'url', 'query', 'skill', 'plan']

/** What a person would call this call: its own description, else what it is applied to. */
export function labelOf(input: unknown): string | undefined {
  const given = fields(input)
  for (const key of LABELS) {
    const label = textIn(given[key])
    if (label) return cutWord(label)
  }
  const question = textIn(fields(list(given.questions)[0]).question)
  return question === undefined ? undefined : cutWord(question)
}

/** Values looked at and characters of each: calls that are open at once differ well before that. */
const FINGERPRINT_VALUES_MAX = 64
const FINGERPRINT_CHARS_MAX = 256

/**
 * PermissionRequest has no tool id, so equal input is what ties it to its PreToolUse (SPEC W4).
 * Inputs may be megabytes and nest: length and head of the first values tell open calls apart.
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
