import type { Report } from '../../core/signal.ts'
import type { LoopCall, LoopEvent, LoopHolding } from '../loops.ts'
import {
  cutWord,
  type Fields,
  fields,
  fieldsInLine,
  list,
  path,
  shortText,
  textIn,
} from '../read.ts'
import { isAtLeast } from '../version.ts'
import { isQuietTool, labelOf } from './tools.ts'

export function loopEventOf(report: Report): LoopEvent | undefined {
  if (report.source === 'transcript') return inTranscript(fields(report.entry))
  if (report.source !== 'hook') return undefined
  const payload = fields(report.payload)
  const session = shortText(payload.session_id)
  if (session === undefined) return undefined
  const env = fields(report.env)
  const asks = env.asks === 1
  switch (payload.hook_event_name) {
    case 'Stop':
      return {
        is: 'stop',
        session,
        asks,
        off: env.loopOff === 1,
        message: textIn(payload.last_assistant_message),
        transcript: path(payload.transcript_path),
      }
    case 'UserPromptSubmit':
      return typedIn(payload, session)
    case 'PreCompact':
      return { is: 'compacting', session }
    case 'SessionStart':
      return payload.source === 'compact' ? { is: 'compacted', session, asks } : undefined
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return toolOf(payload, session)
    default:
      return undefined
  }
}

/** The client passes the typed line, before it replaces it with the command's text. */
function typedIn({ prompt, agent_id }: Fields, session: string): LoopEvent | undefined {
  const [, behind] = /^\/vigil:loop(?=\s|$)(.*)$/s.exec(textIn(prompt) ?? '') ?? []
  if (behind === undefined || agent_id !== undefined) return undefined
  return { is: 'typed', session, text: behind }
}

function inTranscript(entry: Fields): LoopEvent | undefined {
  const session = shortText(entry.sessionId)
  if (session === undefined) return undefined
  if (entry.type === 'queue-operation') return queuedIn(entry, session)
  const blocks = list(fields(entry.message).content).map(fields)
  const calls = blocks.flatMap((block) => calledIn(block))
  if (calls.length > 0) return { is: 'calls', session, calls }
  const results = blocks.flatMap((block) => resultIn(block, entry))
  return results.length > 0 ? { is: 'results', session, results } : undefined
}

function queuedIn({ operation, content }: Fields, session: string): LoopEvent | undefined {
  if (operation !== 'enqueue' || !textIn(content)?.startsWith('/')) return undefined
  return { is: 'queued', session }
}

function calledIn({ type, id, name, input }: Fields): (LoopCall & { readonly id: string })[] {
  const known = type === 'tool_use' ? shortText(id) : undefined
  return known === undefined ? [] : [{ id: known, ...callOf(name, input) }]
}

/** A call that was refused did not run, so it did not fail: no hook tells of it either. */
const REFUSED = /^(User rejected|Error: (The user|Permission |PreToolUse:|.{0,500}needs approval))/s

function resultIn({ type, tool_use_id, is_error }: Fields, { toolUseResult }: Fields) {
  const id = type === 'tool_result' ? shortText(tool_use_id) : undefined
  if (id === undefined || REFUSED.test(textIn(toolUseResult) ?? '')) return []
  return [{ id, failed: is_error === true }]
}

function toolOf(payload: Fields, session: string): LoopEvent {
  const failed = payload.hook_event_name === 'PostToolUseFailure'
  return { is: 'tool', session, failed, ...callOf(payload.tool_name, payload.tool_input) }
}

function callOf(name: unknown, input: unknown): LoopCall {
  const tool = shortText(name) ?? 'a tool'
  return { call: cutWord(`${tool}: ${labelOf(input) ?? ''}`), changes: !isQuietTool(tool) }
}

/** How many consecutive blocks the client accepts, from its environment; 0 for any number. */
function capOf(report: Report): { readonly session: string; readonly cap: number } | undefined {
  const cap = textIn(fields(report.env).blockCap)
  const session = shortText(fields(report.payload).session_id)
  if (session === undefined || cap === undefined || !/^\d{1,9}$/.test(cap)) return undefined
  return { session, cap: Number(cap) }
}

/** The first client that ends a turn after eight blocked Stops. */
const BLOCK_CAP_SINCE = '2.1.143'
const BLOCK_CAP_DEFAULT = 8

/** The client ends a turn after eight blocked Stops in a row, unless the cap is raised. */
function isCapped(version: string | null, cap: number | undefined): boolean {
  if (version !== null && !isAtLeast(version, BLOCK_CAP_SINCE)) return false
  return cap === undefined || (cap !== 0 && cap <= BLOCK_CAP_DEFAULT)
}

/**
 * The last message of the main agent, from the lines of a transcript: every text of the newest
 * message, and none of tools, users or subagents. Undefined while it is still being written.
 */
export function lastMessageIn(lines: readonly string[]): string | undefined {
  const texts: string[] = []
  let id: unknown
  for (const line of lines.toReversed()) {
    const entry = fieldsInLine(line)
    if (entry.isSidechain === true) continue
    if (entry.type === 'user' && entry.isMeta !== true) break
    if (entry.type !== 'assistant') continue
    const message = fields(entry.message)
    if (id === undefined && !isEnd(message.stop_reason)) return undefined
    id ??= message.id ?? null
    if ((message.id ?? null) !== id) break
    const said = list(message.content).flatMap((block) => textIn(fields(block).text) ?? [])
    texts.unshift(...said)
  }
  return id === undefined ? undefined : texts.join('\n')
}

function isEnd(reason: unknown): boolean {
  return typeof reason === 'string' && reason !== 'tool_use'
}

export const loop: LoopHolding = {
  eventOf: loopEventOf,
  goOn: (reason) => ({ output: { decision: 'block', reason }, exit: 2 }),
  remind: (text) => {
    const said = { hookEventName: 'SessionStart', additionalContext: text }
    return { output: { hookSpecificOutput: said }, exit: 0 }
  },
  lastMessageIn,
  capOf,
  isCapped,
}
