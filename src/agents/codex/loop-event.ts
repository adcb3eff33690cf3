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
import { threadOf } from './rollout.ts'
import { hookNameOf } from './tools.ts'

/**
 * SPEC CX50. Only the main agent's Stop: that of a subagent names the same session. Calls are read
 * from the rollout, because no hook runs for them.
 */
function loopEventIn(report: Report): LoopEvent | undefined {
  if (report.source === 'transcript') return doneIn(report)
  const payload = fields(report.payload)
  const session = shortText(payload.session_id)
  const isOwn = report.source === 'hook' && textIn(payload.agent_id) === undefined
  if (session === undefined || !isOwn) return undefined
  const env = fields(report.env)
  switch (payload.hook_event_name) {
    case 'Stop':
      return {
        is: 'stop',
        session,
        asks: env.asks === 1,
        off: env.loopOff === 1,
        message: unescaped(textIn(payload.last_assistant_message)),
        transcript: path(payload.transcript_path),
      }
    case 'PreCompact':
      return { is: 'compacting', session }
    default:
      return undefined
  }
}

/**
 * SPEC CX51. The client shows its model the reason with `&lt;` and `&gt;`, and the model may write
 * the signal as it read it.
 */
function unescaped(message: string | undefined): string | undefined {
  return message?.replaceAll(/&lt;(\/?[a-z-]{1,40})&gt;/g, '<$1>')
}

/** A call that is over; one that its user declined did not run. */
function doneIn({ entry, path: file }: Report): LoopEvent | undefined {
  const { type, payload } = fields(entry)
  const { type: what, item } = fields(payload)
  const session = threadOf(file)
  if (type !== 'event_msg' || what !== 'item_completed' || session === undefined) return undefined
  const done = fields(item)
  const call = callOf(done)
  if (call === undefined || done.status === 'declined') return undefined
  const failed = done.status === 'failed' || (done.exit_code ?? 0) !== 0
  return { is: 'tool', session, failed, ...call }
}

function callOf(item: Fields): LoopCall | undefined {
  switch (item.type) {
    case 'CommandExecution':
      return called(hookNameOf('shell'), textIn(list(item.command).at(-1)))
    case 'FileChange':
      return called('apply_patch', Object.keys(fields(item.changes)).join(', '))
    case 'McpToolCall':
      return called(textIn(item.server) ?? 'mcp', textIn(item.tool))
    default:
      return undefined
  }
}

function called(tool: string, about = ''): LoopCall {
  return { call: cutWord(`${tool}: ${about}`), changes: true }
}

/** The last message since the user's; undefined while none is written. */
function lastMessageOf(lines: readonly string[]): string | undefined {
  for (const line of lines.toReversed()) {
    const { type, payload } = fieldsInLine(line)
    const { type: what, role, content } = fields(payload)
    if (type !== 'response_item' || what !== 'message') continue
    if (role === 'user') return undefined
    if (role !== 'assistant') continue
    return list(content)
      .flatMap((part) => textIn(fields(part).text) ?? [])
      .join('\n')
  }
  return undefined
}

export const codexLoop: LoopHolding = {
  eventOf: loopEventIn,
  // With exit code 2 the client would read the reason from stderr.
  goOn: (reason) => ({ output: { decision: 'block', reason }, exit: 0 }),
  // No hook waits after a compaction: the next Stop has the text.
  remind: () => ({ output: {}, exit: 0 }),
  lastMessageIn: lastMessageOf,
  capOf: () => undefined,
  // SPEC CX51. It goes on for as long as its Stop is blocked.
  isCapped: () => false,
}
