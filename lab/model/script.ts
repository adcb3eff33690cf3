/**
 * What the scripted model answers, as data that reads like the conversation:
 *
 *     script('permission')
 *       .on('touch it', say('I will touch it.'), tool('Bash', { command: 'touch made' }))
 *       .next(say('Done.'))
 *       .on('count', say('One, two'), hold())
 *       .on('overload', fail(529)).next(fail(529)).next(say('Recovered.'))
 */
export function script(name: string): Script {
  return build(name, [])
}

export interface Script {
  readonly name: string
  readonly exchanges: readonly Exchange[]
  /** The answer to a prompt with these words; of several that match, the first. */
  on(prompt: string | RegExp, ...reply: Reply): Script
  /** The next answer in the same exchange: to the tool's result, a retry, a task's notice. */
  next(...reply: Reply): Script
}

export interface Exchange {
  readonly prompt: string | RegExp
  readonly replies: readonly Reply[]
}

/** One answer of the API, in order. */
export type Reply = readonly Piece[]

export type Piece =
  | { readonly kind: 'say' | 'think'; readonly text: string; readonly overMs: number }
  | { readonly kind: 'tool'; readonly name: string; readonly input: ToolInput }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'hold'; readonly name: string }
  | { readonly kind: 'fail'; readonly failure: Failure }
  | { readonly kind: 'drop' }
  | { readonly kind: 'uses'; readonly tokens: number }
  | { readonly kind: 'stop'; readonly reason: StopReason }

export type FailStatus = 400 | 401 | 429 | 500 | 529
export type StopReason = 'refusal' | 'max_tokens'
type ToolInput = Readonly<Record<string, unknown>>
type FailHeaders = Readonly<Record<string, string>>

export interface Failure {
  readonly status: FailStatus
  readonly headers: FailHeaders
  readonly message: string
}

/** Text, word by word; `overMs` spreads it over that time. */
export function say(text: string, { overMs = 0 } = {}): Piece {
  return { kind: 'say', text, overMs }
}

/** Reasoning before the text, sent as `say` does; the client shows that it thinks. */
export function think(text: string, { overMs = 0 } = {}): Piece {
  return { kind: 'think', text, overMs }
}

export function tool(name: string, input: ToolInput): Piece {
  return { kind: 'tool', name, input }
}

/** Silence: as the first piece a slow first byte, later a stall in the stream. */
export function pause(ms: number): Piece {
  return { kind: 'pause', ms }
}

/** Silence until the test calls `release(name)`, or the client gives up: no guessed time. */
export function hold(name = 'hold'): Piece {
  return { kind: 'hold', name }
}

/** As the first piece an HTTP status, in a begun stream its error event. */
export function fail(
  status: FailStatus,
  headers: FailHeaders = {},
  message = `scripted ${status}`,
): Piece {
  return { kind: 'fail', failure: { status, headers, message } }
}

/** The connection breaks off here. */
export function drop(): Piece {
  return { kind: 'drop' }
}

/** As the first piece: the reported size of the request, to make the context look full. */
export function uses(tokens: number): Piece {
  return { kind: 'uses', tokens }
}

/** The answer ends for another reason than being complete. */
export function stop(reason: StopReason): Piece {
  return { kind: 'stop', reason }
}

function build(name: string, exchanges: readonly Exchange[]): Script {
  return {
    name,
    exchanges,
    on: (prompt, ...reply) => build(name, [...exchanges, { prompt, replies: [reply] }]),
    next: (...reply) => {
      const last = exchanges.at(-1)
      if (!last) throw new Error(`script ${name}: next() needs an on() before it`)
      const longer = { ...last, replies: [...last.replies, reply] }
      return build(name, [...exchanges.slice(0, -1), longer])
    },
  }
}
