import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import type { Gates } from './gates.ts'
import type { Piece, Reply } from './script.ts'

type Said = Extract<Piece, { text: string }>

export type Outcome = 'answered' | 'failed' | 'dropped' | 'left'

export interface PlayOptions {
  readonly gates: Gates
  /** Fires when the client stops waiting for this answer. */
  readonly gone: AbortSignal
}

/** Sends a reply piece by piece; `left` if the client hung up before its end. */
export async function play(reply: Reply, answer: Answer, options: PlayOptions): Promise<Outcome> {
  for (const piece of reply) {
    const outcome = await tell(piece, answer, options).catch(leftOr(options.gone))
    if (outcome) return outcome
  }
  if (options.gone.aborted) return 'left'
  answer.end()
  return 'answered'
}

async function tell(
  piece: Piece,
  answer: Answer,
  { gates, gone }: PlayOptions,
): Promise<Outcome | undefined> {
  gone.throwIfAborted()
  switch (piece.kind) {
    case 'say':
    case 'think':
      await sayIt(piece, answer, gone)
      return undefined
    case 'tool':
      answer.tool(piece.name, piece.input)
      return undefined
    case 'pause':
      await sleep(piece.ms, undefined, { signal: gone })
      return undefined
    case 'hold':
      await gates.opened(piece.name, gone)
      return undefined
    case 'fail':
      answer.fail(piece.failure)
      return 'failed'
    case 'drop':
      answer.drop()
      return 'dropped'
    case 'uses':
      answer.uses(piece.tokens)
      return undefined
    case 'stop':
      answer.stops(piece.reason)
      return undefined
  }
}

async function sayIt(piece: Said, answer: Answer, gone: AbortSignal): Promise<void> {
  const { text, overMs } = piece
  const kind = piece.kind === 'say' ? 'text' : 'thinking'
  const words = text.match(/\S*\s*/g)?.filter((word) => word !== '') ?? []
  for (const word of words) {
    answer.text(kind, word)
    if (overMs > 0) await sleep(overMs / words.length, undefined, { signal: gone })
  }
  answer.textEnd()
}

function leftOr(gone: AbortSignal): (error: unknown) => Outcome {
  return (error) => {
    if (gone.aborted) return 'left'
    throw error
  }
}
