import type { About, Details, Happening, Report } from '../../core/signal.ts'
import { entryTime, type Fields, fields, given, list, path, shortText, textIn } from '../read.ts'
import { saidWords } from '../said.ts'
import { causeOf } from './errors.ts'
import { rolloutFigures } from './figures.ts'
import { aboutCall, endedCall, startedCall } from './rollout-calls.ts'

/** The rollout: the file to which the client appends a thread's conversation. */

export function aboutRollout(report: Report): About {
  const payload = fields(fields(report.entry).payload)
  return { agent: 'codex', session: threadOf(report.path), folder: path(payload.cwd) }
}

/** `rollout-<local time>-<thread>.jsonl`. */
export function threadOf(file: unknown): string | undefined {
  return /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(textIn(file) ?? '')?.[1]
}

export function fromRollout(report: Report): Happening[] {
  const entry = fields(report.entry)
  const payload = fields(entry.payload)
  const thread = threadOf(report.path)
  if (thread === undefined) return []
  const happenings = read(report, payload, thread)
  return textIn(entry.timestamp) === undefined ? happenings : [...happenings, { kind: 'life' }]
}

function read(report: Report, payload: Fields, thread: string): Happening[] {
  switch (fields(report.entry).type) {
    case 'session_meta':
      return fromMeta(payload, thread, report.path)
    case 'turn_context':
      return details({
        cwd: path(payload.cwd),
        model: shortText(payload.model),
        mode: modeOf(payload),
      })
    case 'event_msg':
      return payload.type === 'token_count'
        ? details(rolloutFigures(payload, entryTime(report)))
        : fromEvent(payload)
    case 'response_item':
      return fromItem(payload)
    default:
      return []
  }
}

/** A subagent's file begins with its own line, and then with a copy of its parent's. */
function fromMeta(payload: Fields, thread: string, file: unknown): Happening[] {
  if (payload.id !== thread) return []
  const parent = shortText(payload.parent_thread_id)
  if (payload.thread_source === 'subagent' && parent !== undefined)
    return [{ kind: 'is-subagent', of: shortText(payload.session_id) ?? parent }]
  const how = payload.forked_from_id === undefined ? 'startup' : 'fork'
  const isExec = payload.source === 'exec'
  return [
    // A terminal may have had another session before; `exec` has one alone.
    { kind: 'opened', how, ...(!isExec && { continues: true as const }) },
    ...(isExec ? [{ kind: 'unattended' as const }] : []),
    ...details({
      cwd: path(payload.cwd),
      transcript: path(file),
      branch: shortText(fields(payload.git).branch),
      version: shortText(payload.cli_version),
    }),
  ]
}

function modeOf(context: Fields): string | undefined {
  const mode = shortText(fields(context.collaboration_mode).mode)
  return mode === 'plan' ? 'plan' : shortText(context.approval_policy)
}

function fromEvent(payload: Fields): Happening[] {
  const turn = given({ turn: shortText(payload.turn_id) })
  switch (payload.type) {
    case 'task_started':
      return [{ kind: 'turn-started', by: 'user', ...turn }]
    case 'task_complete':
      return payload.error === undefined || payload.error === null
        ? [
            { kind: 'turn-ended', how: 'over', ...turn },
            ...saidWords('agent', payload.last_agent_message),
          ]
        : [{ kind: 'turn-failed', cause: causeOf(fields(payload.error)), ...turn }]
    case 'turn_aborted':
      return [{ kind: 'turn-interrupted', ...turn }]
    case 'item_completed':
      return fromDone(fields(payload.item))
    case 'context_compacted':
      return [{ kind: 'compaction', open: false }]
    default:
      return []
  }
}

/** What an item that is complete tells. */
function fromDone(item: Fields): Happening[] {
  switch (item.type) {
    case 'UserMessage':
      return saidWords('user', textOf(item.content))
    case 'AgentMessage':
      return [{ kind: 'spoke' }, ...saidWords('agent', textOf(item.content))]
    case 'HookPrompt':
      return [{ kind: 'turn-started', by: 'hook' }]
    case 'ContextCompaction':
      return [{ kind: 'compaction', open: false }]
    default:
      return endedCall(item)
  }
}

function textOf(content: unknown): string | undefined {
  return list(content)
    .map((part) => textIn(fields(part).text))
    .find((text) => text !== undefined)
}

function fromItem(payload: Fields): Happening[] {
  switch (payload.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return startedCall(payload)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return aboutCall(payload)
    case 'reasoning':
      return [{ kind: 'spoke' }]
    default:
      return []
  }
}

function details(told: Readonly<{ [K in keyof Details]?: Details[K] | undefined }>): Happening[] {
  const known = given(told)
  return Object.keys(known).length > 0 ? [{ kind: 'details', details: known }] : []
}
