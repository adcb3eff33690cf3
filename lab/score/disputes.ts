import type { Truth } from '../../src/agents/truth-reader.ts'
import { GRACE_MS, type TimeSpan } from '../../src/recording/meter.ts'

/**
 * Periods in which the client's own file and its screen disagree, for longer than drawing a screen
 * takes. Either may be behind, so it counts neither as right nor as wrong: it is listed, with both
 * states, for a person to check.
 */
export interface Dispute extends TimeSpan {
  readonly registry: Truth['state']
  readonly screen: Truth['state']
}

export function disputesOf(
  registry: readonly Truth[],
  screen: readonly Truth[],
  endAt: number,
): readonly Dispute[] {
  const times = [...registry, ...screen].map(({ t }) => t).filter((t) => t < endAt)
  const cuts = [...new Set(times), endAt].sort((a, b) => a - b)
  const disputes: Dispute[] = []
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const word = registry.findLast(({ t }) => t <= from)?.state
    const seen = screen.findLast(({ t }) => t <= from)?.state
    if (word === undefined || seen === undefined || word === seen) continue
    // A client that ended leaves its last screen behind.
    if (word === 'closed' || seen === 'closed') continue
    const to = cuts[index + 1] ?? endAt
    const last = disputes.at(-1)
    const goesOn = last?.to === from && last.registry === word && last.screen === seen
    if (goesOn) disputes[disputes.length - 1] = { ...last, to }
    else disputes.push({ from, to, registry: word, screen: seen })
  }
  return disputes.filter(({ from, to }) => to - from > GRACE_MS)
}
