import type { Verdict } from '../verdict.ts'

export type RpgStatus = 'idle' | 'typing' | 'working' | 'waiting' | 'error'

/** SPEC SR4. */
export const RPG_PRIORITY: Readonly<Record<RpgStatus, number>> = {
  error: 5,
  waiting: 4,
  working: 3,
  typing: 2,
  idle: 1,
}

/** A verdict in claude-rpg's words; it has none for a closed or unknown session. */
export function rpgStatus(verdict: Pick<Verdict, 'state' | 'typing'>): RpgStatus | undefined {
  // SPEC SR2: background is working in its words.
  if (verdict.typing && verdict.state !== 'background') return 'typing'
  switch (verdict.state) {
    case 'working':
    case 'background':
    case 'stuck':
      return 'working'
    case 'waiting':
      return 'waiting'
    case 'error':
      return 'error'
    case 'starting':
    case 'idle':
      return 'idle'
    case 'closed':
    case 'unknown':
      return undefined
  }
}
