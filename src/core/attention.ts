import type { Facts } from './facts.ts'
import { LONG_TALK_MS, LOOP_GOES_ON_MS } from './limits.ts'
import { goesOn, needOf } from './loop/need.ts'
import type { Finding } from './rules/finding.ts'

/** Which ends of a talk-only turn notify, from the user's settings. */
export interface Attention {
  /** A longer turn notifies; undefined: no turn notifies because of its length. */
  readonly longTalkMs: number | undefined
  /** A turn that ended with a question notifies. */
  readonly questions: boolean
}

export const ATTENTION_DEFAULT: Attention = { longTalkMs: LONG_TALK_MS, questions: true }

/** SPEC A1–A3, A7, LP86, LP87. */
export function isUnread(
  facts: Facts,
  { state, after, since }: Finding,
  now: number,
  attention: Attention,
): boolean {
  const seen = seenAt(facts)
  const { loop } = facts
  if (loop && loop.at > seen && state !== 'closed' && needOf(loop.loop) !== null) return true
  const called = after === 'work' || (after === 'talk' && talkCalls(facts, since, attention))
  const ended = state === 'idle' && called
  const waits = ended && goesOn(loop?.loop) && now - since < LOOP_GOES_ON_MS
  const wants = state === 'waiting' || state === 'error' || state === 'stuck' || ended
  return wants && !waits && since > seen
}

/**
 * SPEC A7. After a minute of waiting a user looks elsewhere, and a question needs an answer however
 * soon it came. Rejected: notifying at the end of every talk, because most answers come while the
 * user still looks.
 */
function talkCalls({ turn, said }: Facts, endedAt: number, attention: Attention): boolean {
  const begunAt = turn.started?.at
  if (begunAt === undefined || begunAt > endedAt) return false
  const { longTalkMs, questions } = attention
  if (longTalkMs !== undefined && endedAt - begunAt > longTalkMs) return true
  const last = said.agent
  return questions && last?.asks === true && last.at >= begunAt
}

/** When the user last looked at the session, or typed into it. */
export function seenAt({ lookedAt, typedAt }: Facts): number {
  return Math.max(lookedAt ?? 0, typedAt ?? 0)
}

/** SPEC A7. Whether a text ends with a question, in any script and with any emphasis marks. */
export function endsAsking(text: string): boolean {
  return /[?？؟][*_"'”’)\]\s]*$/.test(text.slice(-END_CHARS))
}

/** What follows a question mark is short; the limit keeps a text of blanks cheap. */
const END_CHARS = 50
