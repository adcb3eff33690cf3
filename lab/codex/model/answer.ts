import type { ServerResponse } from 'node:http'
import type { Answer } from '../../model/answer.ts'
import type { Failure } from '../../model/script.ts'
import { callId } from './request.ts'

export interface ResponseOptions {
  /** Unique within the run. */
  readonly id: string
  readonly codeMode: boolean
  /** The terminal that a call of `write_stdin` is about. */
  readonly terminal: number
}

/** The text of a failure that is the limit of a plan, which the client knows by its type. */
export const USAGE_LIMIT = 'scripted usage limit'

/** An answer of the Responses API, as its stream of events. */
export function responding(to: ServerResponse, options: ResponseOptions): Answer {
  const { id } = options
  const usage = { input: 1_000 }
  let items = 0
  let text: { kind: string; words: string } | undefined
  const send = (type: string, rest: object) =>
    to.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
  const begin = () => {
    if (to.headersSent) return
    to.writeHead(200, { 'content-type': 'text/event-stream' })
    send('response.created', { response: { id: `resp_${id}` } })
  }
  const message = (words: string) => ({
    ...{ type: 'message', role: 'assistant', id: `msg_${id}_${items}` },
    content: words === '' ? [] : [{ type: 'output_text', text: words, annotations: [] }],
  })
  const opened = (item: object) => send('response.output_item.added', { output_index: items, item })
  const closed = (item: object) =>
    send('response.output_item.done', { output_index: items++, item })
  return {
    text(kind, chunk) {
      begin()
      if (!text && kind === 'text') opened(message(''))
      text = { kind, words: (text?.words ?? '') + chunk }
      const place = { item_id: `msg_${id}_${items}`, output_index: items, content_index: 0 }
      if (kind === 'text') send('response.output_text.delta', { ...place, delta: chunk })
    },
    textEnd() {
      if (text?.kind === 'text') closed(message(text.words))
      text = undefined
    },
    tool(name, input) {
      begin()
      const item = callOf(name, input as Input, callId(id, items), options)
      opened({ ...item, ...('arguments' in item ? { arguments: '' } : { input: '' }) })
      closed(item)
    },
    uses: (tokens) => {
      usage.input = tokens
    },
    stops: () => {},
    fail(failure) {
      if (!to.headersSent) return refuse(to, failure)
      const error = { code: 'server_error', message: failure.message }
      send('response.failed', { response: { id: `resp_${id}`, error } })
      to.end()
    },
    drop: () => (to.headersSent ? to.write('\n', () => to.destroy()) : to.destroy()),
    end() {
      begin()
      send('response.completed', { response: { id: `resp_${id}`, usage: usageOf(usage.input) } })
      to.end()
    },
  }
}

type Input = Readonly<Record<string, unknown>>

/** Tools that a model in code mode calls inside a script. */
const SCRIPTED = /^(exec_command|apply_patch|write_stdin)$/

/** A script that waits longer than this gives its result later. */
const SCRIPT_WAIT_MS = 60_000

function callOf(name: string, given: Input, id: string, options: ResponseOptions): object {
  const { codeMode, terminal } = options
  const input = name === 'write_stdin' ? { session_id: terminal, ...given } : given
  const written = name === 'apply_patch' ? input.patch : input
  if (codeMode && SCRIPTED.test(name)) {
    const wait = `// @exec: {"yield_time_ms": ${SCRIPT_WAIT_MS}}\n`
    const script = `${wait}text(await tools.${name}(${JSON.stringify(written)}))`
    return { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name: 'exec', input: script }
  }
  if (name === 'apply_patch')
    return { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name, input: written }
  const [tool = '', namespace] = name.split('.').toReversed()
  const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name: tool }
  return { ...call, ...(namespace && { namespace }), arguments: JSON.stringify(input) }
}

function usageOf(input: number): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + 20,
  }
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  429: 'rate_limit_error',
}

function refuse(to: ServerResponse, { status, message, headers }: Failure): void {
  const limit = { type: 'usage_limit_reached', plan_type: 'plus', resets_in_seconds: 3_600 }
  const error =
    message === USAGE_LIMIT ? limit : { type: ERROR_TYPES[status] ?? 'server_error', code: null }
  to.writeHead(status, { 'content-type': 'application/json', ...headers })
  to.end(JSON.stringify({ error: { ...error, message } }))
}
