import type { Report } from '../core/signal.ts'
import { STATES } from '../core/verdict.ts'
import type { Health } from '../protocol/daemon.ts'
import type { Session } from '../protocol/session.ts'

export interface DaemonFigures {
  readonly health: Health
  readonly sessions: readonly Session[]
  readonly changes: number
  readonly commits: number
  readonly commitMs: number
  readonly queued: number
}

/** By source: how many reports, and the time of the newest. */
export type ReportCounts = Map<string, { readonly reports: number; readonly lastAt: number }>

export function countReport(counts: ReportCounts, { source, t }: Report): void {
  const { reports, lastAt } = counts.get(source) ?? { reports: 0, lastAt: 0 }
  counts.set(source, { reports: reports + 1, lastAt: Math.max(lastAt, t) })
}

/** Prometheus text. Names and labels must not change: users' dashboards depend on them. */
export function metricsText(measured: DaemonFigures): string {
  const { health, sessions } = measured
  const cpu = process.cpuUsage()
  const lines = [
    ...metric('vigil_info', 'gauge', 'The daemon that answers.', [
      [`version="${health.version}"`, 1],
    ]),
    ...metric(
      'vigil_sessions',
      'gauge',
      'Sessions by state.',
      STATES.map((state) => [
        `state="${state}"`,
        sessions.filter((session) => session.state === state).length,
      ]),
    ),
    ...metric('vigil_sessions_unread', 'gauge', 'Sessions that need the user.', [
      ['', sessions.filter(({ unread }) => unread).length],
    ]),
    ...metric(
      'vigil_reports_total',
      'counter',
      'Reports accepted, by source.',
      Object.entries(health.sources).map(([source, { reports }]) => [
        `source="${source}"`,
        reports,
      ]),
    ),
    ...metric('vigil_changes_total', 'counter', 'Changes of state published.', [
      ['', measured.changes],
    ]),
    ...metric('vigil_commits_total', 'counter', 'Transactions written.', [['', measured.commits]]),
    ...metric('vigil_commit_seconds_total', 'counter', 'Time spent writing transactions.', [
      ['', measured.commitMs / 1000],
    ]),
    ...metric('vigil_reports_queued', 'gauge', 'Reports waiting to be processed.', [
      ['', measured.queued],
    ]),
    ...metric('vigil_durable', 'gauge', '1 while the log can be written.', [
      ['', health.durable ? 1 : 0],
    ]),
    ...metric('vigil_store_bytes', 'gauge', 'Size of the log on disk.', [['', health.store.bytes]]),
    ...metric('process_cpu_seconds_total', 'counter', 'CPU time of the daemon.', [
      ['', (cpu.user + cpu.system) / 1_000_000],
    ]),
    ...metric('process_resident_memory_bytes', 'gauge', 'Memory of the daemon.', [
      ['', process.memoryUsage.rss()],
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function metric(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string[] {
  const rows = samples.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...rows]
}
