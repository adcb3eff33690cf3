import type { Facts } from './facts.ts'
import { canStick, judge, lifeAt } from './judge.ts'
import {
  BARE_PROMPT_MS,
  EVIDENCE_MAX_MS,
  FRESH_MAX_MS,
  SILENCE_MAX_MS,
  TYPING_MS,
} from './limits.ts'
import { handoverAt } from './rules/closing.ts'
import { bareSince } from './rules/screen.ts'
import { traceOf } from './rules/trace.ts'
import { turnView } from './rules/turn.ts'
import { doubtedAt } from './rules/word.ts'

/**
 * When the verdict could change by time alone, or never. Nothing polls: who keeps this appointment
 * sees every change that silence brings (SPEC M6).
 */
export function nextLook(facts: Facts, now: number): number | undefined {
  const due = moments(facts, now).filter((at) => at > now)
  return due.length === 0 ? undefined : Math.min(...due)
}

function moments(facts: Facts, now: number): number[] {
  const { state, since, typing } = judge(facts, now)
  if (state === 'closed') return []
  const trace = traceOf(facts, now)
  const at: number[] = [doubtedAt(facts, trace), handoverAt(facts)]
  const bare = bareSince(facts, turnView(facts))
  if (bare !== undefined) at.push(bare + BARE_PROMPT_MS)
  if (typing && facts.typedAt !== undefined) at.push(facts.typedAt + TYPING_MS)
  if (!facts.process) at.push(lifeAt(facts) + EVIDENCE_MAX_MS + 1)
  if (state === 'working' && canStick(facts, trace)) at.push(lifeAt(facts) + SILENCE_MAX_MS + 1)
  if (state === 'idle') at.push(since + FRESH_MAX_MS + 1)
  return at.filter(Number.isFinite)
}
