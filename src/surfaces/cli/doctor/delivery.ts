import { Deliveries, TOLD_BY, type ToldBy } from '../../../agents/claude/delivered.ts'
import type { Ratio } from '../../../agents/records.ts'
import { type Finding, ok, type Patient, warning } from './finding.ts'
import { lastReportIdBefore, reportsAfter } from './log-pages.ts'

const DAY_MS = 86_400_000
const DAYS = 7
/** Below this, verdicts rest on the slower sources too often. */
const ENOUGH_PERCENT = 95

/** How much of what happened the hooks have told, by what transcripts show of the same sessions. */
export async function checkDelivery({ daemon }: Patient): Promise<Finding> {
  const about = 'delivery'
  if (!daemon) return warning(about, 'not measured: it needs the daemon', 'see daemon, above')
  const { client, health } = daemon
  const deliveries = new Deliveries()
  const after = await lastReportIdBefore(client, health.now - DAYS * DAY_MS)
  for await (const { report } of reportsAfter(client, 'hook', after)) deliveries.hook(report)
  for await (const { report } of reportsAfter(client, 'transcript', after))
    deliveries.transcript(report)
  return judged(deliveries.ratios(health.now))
}

function judged(ratios: Record<ToldBy, Ratio>): Finding {
  const seen = TOLD_BY.filter((by) => ratios[by].expected > 0)
  if (seen.length === 0)
    return ok('delivery', `nothing to compare in the last ${DAYS} days`, { figures: ratios })
  const figures = seen
    .map((by) => `${by} ${percent(ratios[by])} % of ${ratios[by].expected}`)
    .join(', ')
  const poor = seen.filter((by) => percent(ratios[by]) < ENOUGH_PERCENT)
  if (poor.length === 0) return ok('delivery', figures, { figures: ratios })
  return warning('delivery', figures, likelyReason(poor, seen), { figures: ratios })
}

/** Rounded down: 100 means all. */
function percent({ told, expected }: Ratio): number {
  return Math.floor((100 * told) / expected)
}

function likelyReason(poor: readonly ToldBy[], seen: readonly ToldBy[]): string {
  if (poor.length === seen.length)
    return 'restart sessions that are older than vigil install; see hooks above'
  const names = poor.join(' and ')
  return `${names}: see hooks above whether it is installed; sessions read settings when they start`
}
