import { endsAsking } from '../core/attention.ts'
import type { Happening } from '../core/signal.ts'
import { shortText, textIn } from './read.ts'

/** SPEC VW24. What the user or the agent said last. */
export function saidWords(by: 'user' | 'agent', given: unknown): Happening[] {
  const whole = textIn(given)?.trim()
  const text = shortText(whole)
  const asks = by === 'agent' && endsAsking(whole ?? '') && ({ asks: true } as const)
  return text === undefined ? [] : [{ kind: 'words', by, text, ...asks }]
}
