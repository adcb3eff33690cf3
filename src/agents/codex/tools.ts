import type { WaitingFor } from '../../core/signal.ts'
import { cutWord, fields, list, textIn } from '../read.ts'

/** The tool by which the agent asks its user, in Plan mode. */
export const ASKS = 'request_user_input'

/** Tools that change nothing: they talk, plan or look. */
const QUIET: ReadonlySet<string> = new Set([
  ASKS,
  'request_user_input_async',
  'update_plan',
  'view_image',
  'web_search',
  'collaborationwait_agent',
])

export function isQuietCodexTool(tool: string): boolean {
  return QUIET.has(tool)
}

export function codexWaitingFor(tool: string): WaitingFor {
  return tool === ASKS ? 'question' : 'permission'
}

/** What a call is about: a question, a command, the files of a patch. */
export function codexLabelOf(input: unknown): string | undefined {
  const given = fields(input)
  const question = textIn(fields(list(given.questions)[0]).question)
  const label = question ?? textIn(given.command) ?? textIn(given.cmd) ?? textIn(given.message)
  return label === undefined ? undefined : cutWord(patchedFiles(label) ?? label)
}

/** A patch names its files in lines of its own; the first stands for all. */
function patchedFiles(text: string): string | undefined {
  if (!text.startsWith('*** Begin Patch')) return undefined
  const files = [...text.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)]
  const [first, ...others] = files.map((match) => match[1] ?? '')
  if (first === undefined) return undefined
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

/**
 * In code mode the model writes a script that calls tools:
 * `text(await tools.exec_command({"cmd":"npm test"}))`.
 */
export function callsIn(script: string): ScriptCall {
  const call = /tools\.(\w+)\(\s*/.exec(script)
  const name = call?.[1] ?? 'exec'
  const input = call ? inputOf(literalAt(script, call.index + call[0].length)) : undefined
  const label = codexLabelOf(input)
  return { name: NAMES.get(name) ?? name, input, ...(label !== undefined && { label }) }
}

/** Searched at this place alone: over all places, a script of many calls would take minutes. */
function literalAt(script: string, at: number): string {
  const literal = /\{[\s\S]*?\}|"(?:[^"\\]|\\.)*"|`[^`]*`/y
  literal.lastIndex = at
  return literal.exec(script)?.[0] ?? ''
}

interface ScriptCall {
  readonly name: string
  /** Undefined where it is not written out as JSON. */
  readonly input: unknown
  readonly label?: string
}

function inputOf(literal: string): unknown {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? { command: value } : value
  } catch {
    return undefined
  }
}

/** Hooks and the rollout have different names for the same tools. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['exec_command', 'Bash'],
  ['shell', 'Bash'],
  ['local_shell', 'Bash'],
])

export function hookNameOf(tool: string): string {
  return NAMES.get(tool) ?? tool
}
