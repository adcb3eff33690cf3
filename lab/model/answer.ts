import type { ServerResponse } from 'node:http'
import type { FailStatus, Failure, StopReason } from './script.ts'

/** One answer on its way to the client, as a stream or in one body. */
export interface Answer {
  text(kind: TextKind, chunk: string): void
  /** Ends the block of text that `text` began. */
  textEnd(): void
  tool(name: string, input: unknown): void
  /** The reported size of the request. */
  uses(tokens: number): void
  /** Why it ends, if not because it is complete. */
  stops(reason: StopReason): void
  fail(failure: Failure): void
  drop(): void
  end(): void
}

type TextKind = 'text' | 'thinking'

export interface AnswerOptions {
  /** Unique within the run: the client tells messages and tools apart by it. */
  readonly id: string
  readonly model: string
}

const ERROR_TYPES: Readonly<Record<FailStatus, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

export function streamed(to: ServerResponse, options: AnswerOptions): Answer {
  const envelope = new Envelope(options)
  let blocks = 0
  let texting = false
  const send = (type: string, rest: object) =>
    to.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
  const begin = () => {
    if (to.headersSent) return
    to.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${options.id}` })
    send('message_start', { message: envelope.message([], null) })
  }
  const open = (block: object) => {
    begin()
    send('content_block_start', { index: blocks, content_block: block })
  }
  const delta = (change: object) => send('content_block_delta', { index: blocks, delta: change })
  const close = () => send('content_block_stop', { index: blocks++ })
  return {
    text(kind, chunk) {
      if (!texting) open({ type: kind, [kind]: '' })
      texting = true
      delta({ type: `${kind}_delta`, [kind]: chunk })
    },
    textEnd() {
      if (texting) close()
      texting = false
    },
    tool(name, input) {
      envelope.stopReason = 'tool_use'
      open({ type: 'tool_use', id: `toolu_${options.id}_${blocks}`, name, input: {} })
      for (const part of halves(JSON.stringify(input)))
        delta({ type: 'input_json_delta', partial_json: part })
      close()
    },
    uses: (tokens) => envelope.uses(tokens),
    stops: (reason) => envelope.stops(reason),
    fail(failure) {
      if (to.headersSent) {
        send('error', { error: errorOf(failure.status, failure.message) })
        to.end()
      } else sendError(to, failure.status, failure.message, failure.headers)
    },
    drop: () => breakOff(to),
    end() {
      begin()
      const { stopReason, usage } = envelope
      send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage })
      send('message_stop', {})
      to.end()
    },
  }
}

export function inOneBody(to: ServerResponse, options: AnswerOptions): Answer {
  const envelope = new Envelope(options)
  const content: { type: string; [field: string]: unknown }[] = []
  let said: { kind: TextKind; text: string } | undefined
  return {
    text(kind, chunk) {
      said = { kind, text: (said?.text ?? '') + chunk }
    },
    textEnd() {
      if (said) content.push({ type: said.kind, [said.kind]: said.text })
      said = undefined
    },
    tool(name, input) {
      envelope.stopReason = 'tool_use'
      content.push({ type: 'tool_use', id: `toolu_${options.id}_${content.length}`, name, input })
    },
    uses: (tokens) => envelope.uses(tokens),
    stops: (reason) => envelope.stops(reason),
    fail: ({ status, message, headers }) => sendError(to, status, message, headers),
    drop: () => breakOff(to),
    end: () => sendJson(to, 200, envelope.message(content, envelope.stopReason)),
  }
}

/** The parts around the blocks of an answer. */
class Envelope {
  stopReason: StopReason | 'end_turn' | 'tool_use' = 'end_turn'
  /** Any figures will do; zero would look like a client that has not begun. */
  usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
  readonly #options: AnswerOptions

  constructor(options: AnswerOptions) {
    this.#options = options
  }

  uses(tokens: number): void {
    this.usage = { ...this.usage, input_tokens: tokens }
  }

  stops(reason: StopReason): void {
    this.stopReason = reason
  }

  message(content: readonly object[], stopReason: string | null): object {
    return {
      id: `msg_${this.#options.id}`,
      type: 'message',
      role: 'assistant',
      model: this.#options.model,
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: this.usage,
    }
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

/** The text before the break arrives: the client should see half an answer, not none. */
function breakOff(to: ServerResponse): void {
  if (to.headersSent) to.write('\n', () => to.destroy())
  else to.destroy()
}

function errorOf(status: FailStatus, message: string) {
  return { type: ERROR_TYPES[status], message }
}

/** A tool's input is sent in parts that are not JSON by themselves. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '')
}
