import type { Facts, TurnFacts, TurnMark } from '../facts.ts'
import type { Signal, SignalOf } from '../signal.ts'
import { newest } from './mark.ts'

/** One field per kind of turn mark; `rules/turn.ts` decides which of them counts. */
export function learnTurn(
  facts: Facts,
  signal: SignalOf<'turn-started' | 'turn-ended' | 'turn-interrupted' | 'turn-failed'>,
): Facts {
  const { turn } = facts
  const mark = turnMark(signal, signal.turn)
  switch (signal.kind) {
    case 'turn-started': {
      if (signal.by === 'hook') return withTurn(facts, { resumed: newest(turn.resumed, mark) })
      if (isQueued(facts, signal)) return queue(facts, signal)
      const started = newest(turn.started, { ...mark, by: signal.by })
      if (signal.by !== 'user') return withTurn(facts, { started })
      const promptedAt = Math.max(turn.promptedAt ?? signal.at, signal.at)
      // A user who types a prompt is looking at the session (SPEC A2).
      const lookedAt = Math.max(facts.lookedAt ?? signal.at, signal.at)
      return { ...facts, lookedAt, turn: { ...turn, started, promptedAt } }
    }
    case 'turn-ended': {
      const asked = signal.asked && { asked: signal.asked }
      const ended = newest(turn.ended, { ...mark, how: signal.how, ...asked })
      if (signal.source !== 'transcript') return withTurn(facts, { ended })
      const concludedAt = Math.max(turn.concludedAt ?? signal.at, signal.at)
      return withTurn(facts, { ended, concludedAt })
    }
    case 'turn-interrupted':
      return withTurn(facts, { interrupted: newest(turn.interrupted, mark) })
    case 'turn-failed':
      return withTurn(facts, { failed: newest(turn.failed, { ...mark, cause: signal.cause }) })
  }
}

/**
 * SPEC T5. The client gives a prompt typed during a turn the id of that turn, so a second hook with
 * the same id is not a start. (The transcript repeats the first start; that is no second prompt.)
 */
function isQueued({ turn: { started } }: Facts, signal: SignalOf<'turn-started'>): boolean {
  if (signal.by !== 'user' || signal.turn === undefined || signal.source !== 'hook') return false
  return started?.source === 'hook' && started.turn === signal.turn && signal.at > started.at
}

function queue(facts: Facts, signal: Signal & Pick<TurnMark, 'turn'>): Facts {
  const lookedAt = Math.max(facts.lookedAt ?? signal.at, signal.at)
  const queued = newest(facts.turn.queued, turnMark(signal, signal.turn))
  return withTurn({ ...facts, lookedAt }, { queued })
}

export function withTurn(facts: Facts, change: Partial<TurnFacts>): Facts {
  return { ...facts, turn: { ...facts.turn, ...change } }
}

export function turnMark(signal: Signal, turn?: string): TurnMark {
  return turn === undefined
    ? { at: signal.at, source: signal.source }
    : { at: signal.at, source: signal.source, turn }
}
