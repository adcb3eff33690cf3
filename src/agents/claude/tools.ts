import { TEXT_MAX_CHARS } from '../../core/limits.ts'
import type { WaitingFor } from '../../core/signal.ts'
import { fields, list, text } from './read.ts'

/** Tools that look and change nothing (notify-tmux.md, BASE), and those that only talk to the user. */
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

export function isQuiet(tool: string): boolean {
  return QUIET.has(tool)
}

/** SPEC W1. Two tools are dialogs by themselves; a request for any other is a permission. */
export function waitingFor(tool: string): WaitingFor {
  if (tool === 'AskUserQuestion') return 'question'
  return tool === 'ExitPlanMode' ? 'plan' : 'permission'
}

export function isDialog(tool: string): boolean {
  return waitingFor(tool) !== 'permission'
}

const LABELS = ['description', 'command', 'file_path', 'pattern', 'url', 'query', 'skill', 'plan']

/** What a person would call this call: its own description, else what it is applied to. */
export function labelOf(input: unknown): string | undefined {
  const given = fields(input)
  for (const key of LABELS) {
    const label = text(given[key])
    if (label) return cut(label)
  }
  const question = text(fields(list(given.questions)[0]).question)
  return question === undefined ? undefined : cut(question)
}

export function cut(value: string): string {
  return value.length > TEXT_MAX_CHARS ? `${value.slice(0, TEXT_MAX_CHARS - 1)}…` : value
}

const FINGERPRINT_FIELDS_MAX = 16
const FINGERPRINT_CHARS_MAX = 256

/**
 * PermissionRequest has no tool id, so equal input is what ties it to its PreToolUse (SPEC W4). Inputs
 * may be megabytes: length and head of each field are enough to tell the open calls apart.
 */
export function fingerprint(input: unknown): string {
  let hash = 0x811c9dc5
  const mix = (part: string) => {
    for (let i = 0; i < part.length && i < FINGERPRINT_CHARS_MAX; i++)
      hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ part.length, 0x01000193)
  }
  const given = fields(input)
  for (const key of Object.keys(given).slice(0, FINGERPRINT_FIELDS_MAX)) {
    mix(key)
    const value = given[key]
    mix(
      typeof value === 'string' ? value : Array.isArray(value) ? `[${value.length}` : String(value),
    )
  }
  return (hash >>> 0).toString(36)
}
