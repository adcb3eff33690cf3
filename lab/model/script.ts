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
  /** The answer to a prompt that holds these words; of several that fit, the first. */
  on(prompt: string | RegExp, ...reply: Reply): Script
  /** What comes after it in the same exchange: to the tool's result, a retry, a task's notice. */
  next(...reply: Reply): Script
}

export interface Exchange {
  readonly prompt: string | RegExp
  readonly replies: readonly Reply[]
}

/** One answer of the API, told in order. */
export type Reply = readonly Piece[]

export type Piece =
  | { readonly kind: 'say'; readonly text: string; readonly overMs: number }
  | { readonly kind: 'tool'; readonly name: string; readonly input: ToolInput }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'hold'; readonly name: string }
  | { readonly kind: 'fail'; readonly status: FailStatus; readonly headers: FailHeaders }
  | { readonly kind: 'drop' }

export type FailStatus = 400 | 401 | 429 | 500 | 529
type ToolInput = Readonly<Record<string, unknown>>
type FailHeaders = Readonly<Record<string, string>>

/** Text, word by word; `overMs` spreads it over that time. */
export function say(text: string, { overMs = 0 } = {}): Piece {
  return { kind: 'say', text, overMs }
}

export function tool(name: string, input: ToolInput): Piece {
  return { kind: 'tool', name, input }
}

/** Silence: as the first piece a slow first byte, later a stall in the stream. */
export function pause(ms: number): Piece {
  return { kind: 'pause', ms }
}

/** Silence until the test calls `release(name)`, or the client gives up: no guess at a time. */
export function hold(name = 'hold'): Piece {
  return { kind: 'hold', name }
}

/** As the first piece an HTTP status, in a begun stream its error event. */
export function fail(status: FailStatus, headers: FailHeaders = {}): Piece {
  return { kind: 'fail', status, headers }
}

/** The connection breaks off here. */
export function drop(): Piece {
  return { kind: 'drop' }
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
