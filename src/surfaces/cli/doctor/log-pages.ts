import type { Client } from '../../../client/client.ts'
import type { Source } from '../../../core/signal.ts'
import type { ReportEntry } from '../../../protocol/report.ts'

/** The daemon's own limit. */
const PAGE = 1_000

/** All reports of a source after this id, oldest first. */
export async function* reportsAfter(
  client: Client,
  source: Source,
  after: number,
): AsyncGenerator<ReportEntry> {
  for (let from: number | null = after; from !== null; ) {
    const page = await client.reports({ source, after: from, limit: PAGE })
    yield* page.reports
    from = page.next
  }
}

/** The id of the newest report. Ids grow, so a binary search needs a few dozen requests. */
export function lastReportId(client: Client): Promise<number> {
  return lastIdWhere(client, () => true)
}

/** The newest report before this time; the log is almost in order of time. */
export function lastReportIdBefore(client: Client, t: number): Promise<number> {
  return lastIdWhere(client, ({ report }) => report.t < t)
}

/** The largest id after which no report satisfies the condition. */
async function lastIdWhere(client: Client, holds: (entry: ReportEntry) => boolean) {
  const followed = async (id: number) => {
    const [next] = (await client.reports({ after: id, limit: 1 })).reports
    return next !== undefined && holds(next)
  }
  let [low, high] = [0, 1]
  while (await followed(high)) [low, high] = [high, high * 2]
  if (low === 0 && !(await followed(0))) return 0
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await followed(middle)) low = middle
    else high = middle
  }
  return high
}
