import { type PendingCall, questionIn } from '../answers.ts'
import { type Fields, fields, fieldsInLine, list, textIn } from '../read.ts'
import { askedWith } from './answer-request.ts'
import { callIn } from './rollout-calls.ts'
import { ASKS } from './tools.ts'

/** What such a call waits for is in another rollout. */
const DELEGATES = /^(spawn_agent|wait_agent|collaboration.*)$/

/** SPEC AN35. Calls without an output, from the newest turn. */
export function pendingInRollout(
  lines: readonly string[],
  session: string,
): readonly PendingCall[] {
  const open = new Map<string, Fields>()
  for (const line of lines) {
    const payload = fields(fieldsInLine(line).payload)
    if (payload.type === 'task_started') open.clear()
    const id = textIn(payload.call_id)
    if (id === undefined) continue
    if (/_output$/.test(textIn(payload.type) ?? '')) open.delete(id)
    else if (/_call$/.test(textIn(payload.type) ?? '')) open.set(id, payload)
  }
  const calls = [...open].flatMap(([id, payload]) => pendingCall(id, payload, session) ?? [])
  return calls.some(({ asked }) => DELEGATES.test(asked.tool)) ? [] : calls
}

function pendingCall(id: string, payload: Fields, session: string): PendingCall | undefined {
  const call = callIn(payload)
  if (!call) return undefined
  const { tool, input: given } = call
  const place = { session, actor: null }
  const input = fields(given)
  if (tool !== ASKS) {
    const { cmd, justification: reason, ...more } = input
    const told = { ...(cmd !== undefined && { command: cmd }), reason, ...more }
    const described = { kind: 'permission', tool, input: told, offers: [] } as const
    return { id, asked: { ...place, ...askedWith(described) } }
  }
  const offers = list(input.questions).map(fields)
  const described = {
    kind: 'question',
    tool,
    input,
    offers,
    questions: offers.flatMap((one) => questionIn(one)),
  } as const
  return { id, asked: { ...place, ...askedWith(described) } }
}
