import type { Agent } from '../../../agents/agent.ts'
import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { UNNAMED_AGENT } from '../../../agents/index.ts'
import type { Deliveries, Ratio } from '../../../agents/records.ts'
import type { Report } from '../../../core/signal.ts'
import type { CheckContext } from './context.ts'
import { lastReportIdBefore, reportsAfter } from './log-pages.ts'

const ABOUT = 'delivery'
const DAY_MS = 86_400_000
const DAYS = 7
/** Below this, verdicts depend on the slower sources too often. */
const ENOUGH_PERCENT = 95

/** SPEC CM13. The share of events that hooks reported, compared with what logs show. */
export async function checkDelivery({ daemon, agents }: CheckContext): Promise<CheckFinding[]> {
  if (!daemon)
    return [
      finding.warning(
        ABOUT,
        'not measured: the daemon is not running',
        'fix the daemon first, see above',
      ),
    ]
  const { client, health } = daemon
  const counted = agents.flatMap(({ agent }) => {
    return agent.deliveries ? [{ agent, deliveries: agent.deliveries() }] : []
  })
  const of = ({ agent = UNNAMED_AGENT }: Report): Deliveries | undefined =>
    counted.find((one) => one.agent.id === agent)?.deliveries
  try {
    const after = await lastReportIdBefore(client, health.now - DAYS * DAY_MS)
    for await (const { report } of reportsAfter(client, 'hook', after)) of(report)?.hook(report)
    for await (const { report } of reportsAfter(client, 'transcript', after))
      of(report)?.transcript(report)
  } catch (error) {
    const what = `this check failed: ${(error as Error).message}`
    return [finding.problem(ABOUT, what, 'run `vigil stop`, then `vigil doctor` again')]
  }
  const several = counted.length > 1
  return counted.map(({ agent, deliveries }) =>
    judged(deliveries.ratios(health.now), several ? agent : undefined),
  )
}

function judged(ratios: Readonly<Record<string, Ratio>>, agent: Agent | undefined): CheckFinding {
  const whose = agent ? `${agent.title}: ` : ''
  const seen = Object.entries(ratios).filter(([, { expected }]) => expected > 0)
  const more = { figures: { ...(agent && { agent: agent.id }), ...ratios } }
  if (seen.length === 0)
    return finding.ok(ABOUT, `${whose}no events to compare in the last ${DAYS} days`, more)
  const figures = seen.map(([by, ratio]) => `${by} ${percent(ratio)} % of ${ratio.expected}`)
  const what = `${whose}${figures.join(', ')}`
  const poor = seen.filter(([, ratio]) => percent(ratio) < ENOUGH_PERCENT).map(([by]) => by)
  if (poor.length === 0) return finding.ok(ABOUT, what, more)
  return finding.warning(ABOUT, what, likelyReason(poor, seen.length), more)
}

/** Rounded down, so that 100 means all. */
function percent({ told, expected }: Ratio): number {
  return Math.floor((100 * told) / expected)
}

function likelyReason(poor: readonly string[], seen: number): string {
  if (poor.length === seen)
    return 'restart sessions that you started before `vigil install`; see hooks above'
  const names = poor.join(' and ')
  return `${names}: check its hooks above, and restart sessions that are older than its hooks`
}
