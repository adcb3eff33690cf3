import type { PendingCall } from '../answers.ts'
import { type Fields, fields, fieldsInLine, list, shortText } from '../read.ts'
import { askedCall } from './answer-request.ts'

/** What such a call waits for is in another log. */
const DELEGATES = new Set(['Agent', 'Task'])

/**
 * SPEC AN35. Calls of the main agent without a result, from its newest turn. None while one of them
 * is a subagent's: a subagent's requests are in another log.
 */
export function pendingIn(lines: readonly string[], session: string): readonly PendingCall[] {
  const open = new Map<string, Fields>()
  for (const line of lines) {
    const entry = fieldsInLine(line)
    if (entry.isSidechain === true) continue
    const blocks = list(fields(entry.message).content).map(fields)
    const results = blocks.filter(({ type }) => type === 'tool_result')
    // A call of a killed client never gets a result; a later prompt shows that it is over.
    if (entry.type === 'user' && results.length === 0) open.clear()
    for (const { tool_use_id: id } of results) open.delete(String(id))
    const calls = entry.type === 'assistant' ? blocks : []
    for (const call of calls) if (call.type === 'tool_use') open.set(String(call.id), call)
  }
  const calls = [...open].map(([id, { name, input }]) => {
    const tool = shortText(name) ?? 'unknown'
    return { id, asked: askedCall({ session, tool, actor: null, input, offers: [] }) }
  })
  return calls.some(({ asked }) => DELEGATES.has(asked.tool)) ? [] : calls
}
