import type { Session } from '../protocol/session.ts'
import { spanOf } from './loop.ts'

/** What is left in a window of time of the user's subscription. */
export interface LimitShown {
  /** `5 h limit`. */
  readonly name: string
  /** From 0 to 1. */
  readonly left: number
  /** `88 % left, resets in 2 h`. */
  readonly words: string
}

/** SPEC VW32. A window that has been reset since the agent reported it is left out. */
export function limitsOf({ limits }: Pick<Session, 'limits'>, now: number): readonly LimitShown[] {
  const windows = limits?.windows ?? []
  return windows
    .filter(({ resetsAt }) => resetsAt === null || resetsAt > now)
    .map(({ usedPercent, lastsMs, resetsAt }) => {
      const percent = Math.min(100, Math.max(0, 100 - usedPercent))
      const resets = resetsAt === null ? '' : `, resets in ${spanOf(resetsAt - now)}`
      return {
        name: lastsMs === null ? 'limit' : `${spanOf(lastsMs)} limit`,
        left: percent / 100,
        words: `${Math.floor(percent)} % left${resets}`,
      }
    })
}

/** `5 h limit 88 % left, resets in 2 h · 7 d limit 40 % left`; empty where none is known. */
export function limitWords(session: Pick<Session, 'limits'>, now: number): string {
  return limitsOf(session, now)
    .map(({ name, words }) => `${name} ${words}`)
    .join(' · ')
}

/** SPEC VW32. For each agent the session that reported its limits last: they are its user's. */
export function newestLimits(sessions: readonly Session[], now: number): readonly Session[] {
  const newest = new Map<string, Session>()
  for (const session of sessions) {
    const known = newest.get(session.agent)?.limits?.at ?? 0
    if (limitsOf(session, now).length > 0 && (session.limits?.at ?? 0) > known)
      newest.set(session.agent, session)
  }
  return [...newest.values()].toSorted((a, b) => (a.agent < b.agent ? -1 : 1))
}
