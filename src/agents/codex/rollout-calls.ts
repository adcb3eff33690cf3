import type { Happening } from '../../core/signal.ts'
import { type Fields, fields, given, list, shortText, textIn } from '../read.ts'
import type { ToolCall } from '../records.ts'
import { ASKS, callsIn, codexLabelOf, hookNameOf, isQuietCodexTool } from './tools.ts'

/** Calls of tools in a rollout, and commands that go on in the background. */

/** A call of the model. In code mode one call is a script, whose calls have ids of their own. */
export function startedCall(call: Fields): Happening[] {
  const id = shortText(call.call_id)
  const named = shortText(call.name) ?? 'shell'
  if (id === undefined) return []
  const script = named === 'exec' ? callsIn(textIn(call.input) ?? '') : undefined
  const input = inputOf(call)
  const name = script?.name ?? hookNameOf(named)
  const label = script ? script.label : codexLabelOf(input)
  const started: Happening = {
    kind: 'tool-started',
    id,
    name,
    input: '',
    quiet: isQuietCodexTool(name),
    ...given({ label }),
  }
  if (named !== ASKS) return [{ kind: 'spoke' }, started]
  const asked = { for: 'question' as const, tool: ASKS, input: '', id, ...given({ text: label }) }
  return [started, { kind: 'request-opened', ...asked }]
}

/** A call with the tool's name in hooks and its whole input; undefined for any other item. */
export function callIn(item: Fields): ToolCall | undefined {
  const named = shortText(item.name)
  if (named === undefined || textIn(item.call_id) === undefined) return undefined
  if (named !== 'exec') return { tool: hookNameOf(named), input: inputOf(item) }
  const script = textIn(item.input) ?? ''
  const { name, input } = callsIn(script)
  return { tool: name, input: input ?? { script } }
}

function inputOf(call: Fields): unknown {
  try {
    return JSON.parse(textIn(call.arguments) ?? '{}')
  } catch {
    return {}
  }
}

/**
 * A call was answered. A command that was still running then goes on in the background, under the
 * number that its answer names.
 */
export function aboutCall(output: Fields): Happening[] {
  const id = shortText(output.call_id)
  if (id === undefined) return []
  const terminals = texts(output.output).flatMap(terminalsIn)
  return [
    { kind: 'tool-ended', id },
    ...terminals.map((terminal) => ({
      kind: 'task-started' as const,
      id: `terminal ${terminal}`,
      what: 'terminal',
    })),
  ]
}

function texts(output: unknown): string[] {
  if (typeof output === 'string') return [output]
  return list(output).flatMap((part) => textIn(fields(part).text) ?? [])
}

const RUNS_ON = /"session_id":(\d{1,10})\b/g
const RUNS_ON_IN_WORDS = /Process running with session ID (\d{1,10})/g

function terminalsIn(text: string): string[] {
  return [...text.matchAll(RUNS_ON), ...text.matchAll(RUNS_ON_IN_WORDS)].map((m) => m[1] ?? '')
}

/** A command, patch or other call is over; its id is the one that hooks have. */
export function endedCall(item: Fields): Happening[] {
  const id = shortText(item.id)
  const terminal = shortText(item.process_id)
  return [
    ...(id === undefined ? [] : [{ kind: 'tool-ended' as const, id }]),
    ...(terminal === undefined
      ? []
      : [{ kind: 'task-ended' as const, id: `terminal ${terminal}` }]),
  ]
}
