import type { Command } from 'commander'
import { agentOf } from '../../agents/index.ts'
import type { Client } from '../../client/client.ts'
import { type InsightTable, isZone, type Period, TABLES } from '../../protocol/constants.ts'
import type { Insight } from '../../protocol/insight.ts'
import type { Session } from '../../protocol/session.ts'
import { headlineOf, hooksWords, projectWords, quickOf } from '../../view/insight.ts'
import { limitWords, newestLimits } from '../../view/limits.ts'
import { dollars, spanOf } from '../../view/loop.ts'
import { plain } from '../../view/session.ts'
import { summaryOf } from '../../view/summary.ts'
import { asked, BadInput } from './bad-input.ts'
import { machineIn } from './fleet.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reach } from './reach.ts'

interface Options {
  readonly week?: boolean
  readonly month?: boolean
  readonly zone?: string
  readonly machine?: string
  readonly json?: boolean
  readonly csv?: InsightTable | true
}

export function addInsight(program: Command): void {
  program
    .command('insight')
    .description('show how long agents worked and waited for you, and how fast you answered')
    .option('--week', 'the last seven days, including today')
    .option('--month', 'the last thirty days')
    .option('--zone <name>', 'the time zone for days and hours, such as Europe/Berlin', parseZone)
    .option('--machine <name>', 'another machine of the fleet, by its name or id')
    .option('--json', 'print all figures as one JSON object')
    .option('--csv [table]', `print one table as CSV: ${TABLES.join(', ')}`, parseTable)
    .addHelpText('after', HELP)
    .action((options: Options) => insight(options))
}

const HELP = `
"Worked" adds up the time of all agents, including their background tasks: three agents that work
for an hour are three hours. "Waited" is the time they waited for a permission, an answer, a plan
or a dialog. Cost comes from the client's status line (vigil install --statusline), tokens from
transcripts; a client that reports no cost has tokens only. "Limits" is what your subscription has
left, where the client reports it. Time in which the machine slept or no daemon ran is not counted.
The figures are those of one machine; of another one of the fleet with --machine.

Examples:
  vigil insight
  vigil insight --week
  vigil insight --machine laptop
  vigil insight --month --csv days > days.csv
  vigil insight --json | jq .answers.medianMs`

async function insight(options: Options): Promise<void> {
  const { json, csv, zone = ownZone() } = options
  const period = periodOf(options)
  const client = await reach()
  const machine =
    options.machine === undefined
      ? undefined
      : machineIn((await asked(client.fleet())).machines, options.machine).id
  if (csv !== undefined) {
    const table = csv === true ? 'projects' : csv
    out.text(await asked(csvText(client, { period, zone, machine }, table)))
    return
  }
  const found = await asked(client.insight(period, zone, machine))
  if (json) out.json(found)
  else {
    const { sessions, now } = await client.sessions()
    const isItsOwn = (session: Session) =>
      machine === undefined ? session.own : session.machine === machine
    const those = sessions.filter(isItsOwn)
    out.lines(insightLines(found, those, now, out.paint))
  }
}

interface Wanted {
  readonly period: Period
  readonly zone: string
  readonly machine: string | undefined
}

/** SPEC FL188. A table that another machine made could hold formulas for a spreadsheet. */
export async function csvText(
  client: Pick<Client, 'insight' | 'insightCsv'>,
  { period, zone, machine }: Wanted,
  table: InsightTable,
): Promise<string> {
  if (machine === undefined) return client.insightCsv(period, zone, table)
  const { csvOf } = await import('../../insight/csv.ts')
  return csvOf(await client.insight(period, zone, machine), table)
}

function periodOf({ week, month }: Options): Period {
  if (week && month) throw new BadInput('--week and --month: use only one of them')
  if (month) return 'month'
  return week ? 'week' : 'today'
}

function parseTable(value: string): InsightTable {
  const table = TABLES.find((name) => name === value)
  if (table === undefined)
    throw new BadInput(`--csv ${value}: no such table. The tables are ${TABLES.join(', ')}`)
  return table
}

function parseZone(value: string): string {
  if (isZone(value)) return value
  throw new BadInput(`--zone ${value}: expected a time zone, such as Europe/Berlin`)
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  today: 'today',
  week: 'the last 7 days',
  month: 'the last 30 days',
}

export function insightLines(
  insight: Insight,
  sessions: readonly Session[],
  now: number,
  paint: Paint,
): string[] {
  const { period, totals, answers, hooks, unwatchedMs } = insight
  const headline = headlineOf(totals, answers, summaryOf(sessions).waiting)
  return [
    paint('bold', `vigil  ${PERIOD_WORDS[period]}`),
    '',
    ...headline.map(({ name, value, note }) => {
      return `  ${name.padEnd(NAME_COLUMNS)}${value.padEnd(VALUE_COLUMNS)}${paint('dim', note)}`
    }),
    ...newestLimits(sessions, now).map((session) => {
      const title = plain(agentOf(session.agent)?.title ?? session.agent, AGENT_MAX_COLUMNS)
      return `  ${'limits'.padEnd(NAME_COLUMNS)}${title}: ${limitWords(session, now)}`
    }),
    `  ${'hooks'.padEnd(NAME_COLUMNS)}${hooksWords(hooks)}`,
    ...(unwatchedMs > UNWATCHED_SAID_MS
      ? [paint('dim', `  ${'not counted'.padEnd(NAME_COLUMNS)}${spanOf(unwatchedMs)} unwatched`)]
      : []),
    ...projectLines(insight, paint),
    ...kindLines(insight, paint),
    ...waitLines(insight, paint),
    ...hourLines(insight, paint),
  ]
}

const NAME_COLUMNS = 16
const AGENT_MAX_COLUMNS = 30
const VALUE_COLUMNS = 14
const PROJECTS_SHOWN = 10
const WAITS_SHOWN = 5
/** A minute without a daemon, as during a replacement, is not worth a line. */
const UNWATCHED_SAID_MS = 60_000

function projectLines({ byProject }: Insight, paint: Paint): string[] {
  if (byProject.length === 0) return []
  const rows = byProject
    .slice(0, PROJECTS_SHOWN)
    .map((row) => [
      projectWords(row.project),
      spanOf(row.workedMs),
      spanOf(row.waitedMs),
      String(row.turns),
      row.costUsd === null ? '–' : dollars(row.costUsd),
    ])
  return ['', ...table(['project', 'worked', 'waited', 'turns', 'cost'], rows, paint)]
}

function kindLines({ answers }: Insight, paint: Paint): string[] {
  if (answers.count === 0) return []
  const rows = answers.byKind.map(({ kind, count, medianMs, p90Ms }) => [
    ...[kind, String(count), quickOf(medianMs), quickOf(p90Ms)],
  ])
  return ['', ...table(['asked for', 'answers', 'median', '9 of 10'], rows, paint)]
}

function waitLines({ longestWaits }: Insight, paint: Paint): string[] {
  if (longestWaits.length === 0) return []
  const rows = longestWaits
    .slice(0, WAITS_SHOWN)
    .map(({ project, kind, at, ms, open }) => [
      ...[projectWords(project), kind, open ? `${spanOf(ms)}, still` : spanOf(ms), momentOf(at)],
    ])
  return ['', ...table(['longest waits', 'for', 'how long', 'since'], rows, paint)]
}

function momentOf(at: number): string {
  const moment = new Date(at)
  return `${moment.toLocaleDateString('en-CA')} ${moment.toTimeString().slice(0, 5)}`
}

const BARS = ' ▁▂▃▄▅▆▇█'

/** A day at a glance: one column for each hour. */
function hourLines({ byHour }: Insight, paint: Paint): string[] {
  const most = Math.max(...byHour.map(({ workedMs, waitedMs }) => workedMs + waitedMs))
  if (most === 0) return []
  const bar = (ms: number) => BARS[Math.ceil((ms / most) * (BARS.length - 1))] ?? ' '
  const worked = byHour.map(({ workedMs }) => bar(workedMs)).join('')
  const waited = byHour.map(({ waitedMs }) => bar(waitedMs)).join('')
  return [
    '',
    `  ${'worked'.padEnd(NAME_COLUMNS)}${paint('blue', worked)}`,
    `  ${'waited'.padEnd(NAME_COLUMNS)}${paint('yellow', waited)}`,
    paint('dim', `  ${'hour'.padEnd(NAME_COLUMNS)}0     6     12    18   23`),
  ]
}

function table(heads: readonly string[], rows: readonly string[][], paint: Paint): string[] {
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => [...(row[at] ?? '')].length)),
  )
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, at) => padded(cell, widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [paint('dim', line(heads)), ...rows.map(line)]
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - [...cell].length))
}
