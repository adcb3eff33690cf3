import type { Facts } from './facts.ts'
import { canStick, type Judgement, judgementOf, lifeAt } from './judge.ts'
import {
  BARE_PROMPT_MS,
  EVIDENCE_MAX_MS,
  FRESH_MAX_MS,
  LOOP_GOES_ON_MS,
  SILENCE_MAX_MS,
  TYPING_MS,
} from './limits.ts'
import { goesOn } from './loop/need.ts'
import { handoverAt } from './rules/closing.ts'
import { bareSince } from './rules/screen.ts'
import { doubtedAt, trustedAt } from './rules/self-report.ts'
import { turnView } from './rules/turn.ts'

/**
 * When the verdict could change by time alone, or never. Nothing polls: a caller that keeps this
 * appointment sees every change that silence brings (SPEC M6). `judgement` is the judgement at
 * `now`.
 */
export function nextLook(
  facts: Facts,
  now: number,
  judgement: Judgement = judgementOf(facts, now),
): number | undefined {
  const due = moments(facts, judgement).filter((at) => at > now)
  return due.length === 0 ? undefined : Math.min(...due)
}

function moments(facts: Facts, { verdict, trace }: Judgement): number[] {
  if (!trace) return []
  const { state, since, typing } = verdict
  const at: number[] = [doubtedAt(facts, trace), trustedAt(facts, trace), handoverAt(facts)]
  const bare = bareSince(facts, turnView(facts))
  if (bare !== undefined) at.push(bare + BARE_PROMPT_MS)
  if (typing && facts.typedAt !== undefined) at.push(facts.typedAt + TYPING_MS)
  if (!facts.process) at.push(lifeAt(facts) + EVIDENCE_MAX_MS + 1)
  if (state === 'working' && canStick(facts, trace)) at.push(lifeAt(facts) + SILENCE_MAX_MS + 1)
  if (state === 'idle') at.push(since + FRESH_MAX_MS + 1)
  if (state === 'idle' && goesOn(verdict.loop)) at.push(since + LOOP_GOES_ON_MS)
  return at.filter(Number.isFinite)
}
