import type { Client } from '../../../client/client.ts'
import type { Source } from '../../../core/signal.ts'
import type { ReportEntry } from '../../../protocol/report.ts'

/** As large as the daemon gives. */
const PAGE = 1_000

/** All reports of a source after this one, oldest first. */
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

/** The newest report's id: beyond it there is none. Ids grow, so a few dozen questions do. */
export function lastReportId(client: Client): Promise<number> {
  return lastIdWhere(client, () => true)
}

/** The newest report before this time; a log is written in order of time, but for trifles. */
export function lastReportIdBefore(client: Client, t: number): Promise<number> {
  return lastIdWhere(client, ({ report }) => report.t < t)
}

/** The largest id behind which there is no report for which it holds. */
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
