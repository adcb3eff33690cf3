import type { ServerResponse } from 'node:http'
import type { FailStatus } from './script.ts'

/** One answer on its way to the client, as a stream or in one body. */
export interface Answer {
  text(chunk: string): void
  /** Ends the block of text that `text` began. */
  textEnd(): void
  tool(name: string, input: unknown): void
  fail(status: FailStatus, headers: Readonly<Record<string, string>>): void
  drop(): void
  end(): void
}

export interface AnswerOptions {
  /** Unique within the run: the client tells messages and tools apart by it. */
  readonly id: string
  readonly model: string
}

/** Any figures will do; zero would look like a client that has not begun. */
const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

const ERROR_TYPES: Readonly<Record<FailStatus, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

export function streamed(to: ServerResponse, { id, model }: AnswerOptions): Answer {
  let blocks = 0
  let texting = false
  let stopReason = 'end_turn'
  const send = (type: string, rest: object) =>
    to.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
  const begin = () => {
    if (to.headersSent) return
    to.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${id}` })
    send('message_start', { message: messageOf(id, model, [], null) })
  }
  const open = (block: object) => {
    begin()
    send('content_block_start', { index: blocks, content_block: block })
  }
  const delta = (change: object) => send('content_block_delta', { index: blocks, delta: change })
  const close = () => send('content_block_stop', { index: blocks++ })
  return {
    text(chunk) {
      if (!texting) open({ type: 'text', text: '' })
      texting = true
      delta({ type: 'text_delta', text: chunk })
    },
    textEnd() {
      if (texting) close()
      texting = false
    },
    tool(name, input) {
      stopReason = 'tool_use'
      open({ type: 'tool_use', id: `toolu_${id}_${blocks}`, name, input: {} })
      for (const part of halves(JSON.stringify(input)))
        delta({ type: 'input_json_delta', partial_json: part })
      close()
    },
    fail(status, headers) {
      if (to.headersSent) {
        send('error', { error: errorOf(status, `scripted ${status}`) })
        to.end()
      } else sendError(to, status, `scripted ${status}`, headers)
    },
    drop: () => breakOff(to),
    end() {
      begin()
      const ending = { stop_reason: stopReason, stop_sequence: null }
      send('message_delta', { delta: ending, usage: USAGE })
      send('message_stop', {})
      to.end()
    },
  }
}

export function inOneBody(to: ServerResponse, { id, model }: AnswerOptions): Answer {
  const content: { type: string; text?: string; id?: string; name?: string; input?: unknown }[] = []
  let text = ''
  return {
    text(chunk) {
      text += chunk
    },
    textEnd() {
      content.push({ type: 'text', text })
      text = ''
    },
    tool: (name, input) =>
      void content.push({ type: 'tool_use', id: `toolu_${id}_${content.length}`, name, input }),
    fail: (status, headers) => sendError(to, status, `scripted ${status}`, headers),
    drop: () => breakOff(to),
    end() {
      const tools = content.some(({ type }) => type === 'tool_use')
      sendJson(to, 200, messageOf(id, model, content, tools ? 'tool_use' : 'end_turn'))
    },
  }
}

export function sendJson(
  to: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  to.writeHead(status, { 'content-type': 'application/json', ...headers })
  to.end(JSON.stringify(body))
}

export function sendError(
  to: ServerResponse,
  status: FailStatus,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(to, status, { type: 'error', error: errorOf(status, message) }, headers)
}

/** What was said before the break arrives: the client is to see half an answer, not none. */
function breakOff(to: ServerResponse): void {
  if (to.headersSent) to.write('\n', () => to.destroy())
  else to.destroy()
}

function errorOf(status: FailStatus, message: string) {
  return { type: ERROR_TYPES[status], message }
}

function messageOf(id: string, model: string, content: object[], stopReason: string | null) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: USAGE,
  }
}

/** A tool's input comes in parts that are no JSON by themselves. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '')
}
