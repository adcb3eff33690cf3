import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Client } from '../../client/client.ts'
import type { Report } from '../../core/signal.ts'
import { ownVersion } from '../../home/version.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { replaysAlike, reportedId, verdictNotes } from './export-notes.ts'
import { replayedChanges } from './export-verify.ts'
import { err, jsonOf, out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'
import { type Redaction, redactAll } from './redact.ts'
import { rulesOf } from './redact-rules.ts'

export interface ExportOptions {
  readonly full?: boolean
  readonly lineage?: boolean
  readonly output?: string
  readonly force?: boolean
}

/** The daemon's own limit. */
const PAGE = 1_000

export async function exportSession(name: string, options: ExportOptions): Promise<void> {
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: true })
  const session = pickSession(sessions, name)
  // The reports are in the log of its own machine.
  if (!session.own)
    throw new BadInput(`${name}: runs on ${plain(session.host, 40)}; run \`vigil export\` there`, 1)
  const relatives = sessions.filter(({ lineage }) => lineage === session.lineage)
  const wanted = options.lineage ? relatives : [session]
  const reports = await reportsOf(client, wanted)
  if (reports.length === 0)
    throw new BadInput(
      `${name}: the log has no report about this session; it may be older than the log`,
      1,
    )
  const full = options.full === true
  const { lines, hidden, idOf } = full
    ? { lines: reports, hidden: 'nothing', idOf: (id: string) => id }
    : redactedAlike(reports, name)
  const said = (await verdictNotes(client, wanted, full)).map((one) => {
    return { ...one, session: idOf(one.session) }
  })
  const told = [...lines, ...said].toSorted((a, b) => a.t - b.t)
  const meta = metaOf(session, told[0]?.t ?? 0, hidden, idOf)
  const text = [meta, ...told].map((line) => `${jsonOf(line)}\n`).join('')
  if (options.output === undefined) out.text(text)
  else writePrivate(options.output, text, options.force === true)
  const imported = session.id.startsWith(`${session.host}/`)
  if (!replaysAlike(lines, said, imported ? undefined : now))
    complain('a replay gives other states than vigil showed live; the recording has both')
  tell(wanted.length, relatives.length, reports.length, options)
}

/** All pages of the log, in order of time. */
async function reportsOf(client: Client, sessions: readonly Session[]): Promise<Report[]> {
  const found = new Map<number, Report>()
  for (const { id } of sessions)
    for await (const [at, report] of pagesOf(client, { session: id })) found.set(at, report)
  const times = [...found.values()].map(({ t }) => t)
  const from = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const to = times.reduce((a, b) => Math.max(a, b), 0)
  // Sleep and clock changes of the machine concern every session; the log has them under one.
  for await (const [at, report] of pagesOf(client, { source: 'process' }))
    if (report.pid === undefined && report.t >= from && report.t <= to) found.set(at, report)
  return [...found].toSorted(([a, one], [b, other]) => one.t - other.t || a - b).map(([, r]) => r)
}

async function* pagesOf(
  client: Client,
  query: { readonly session?: string; readonly source?: 'process' },
): AsyncGenerator<readonly [number, Report]> {
  let after = 0
  for (let more = true; more; ) {
    const page = await client.reports({ ...query, after, limit: PAGE })
    for (const { id, report } of page.reports) yield [id, report]
    more = page.next !== null && page.next > after
    after = page.next ?? after
  }
}

/** What is hidden, strictest first: less is hidden only if hiding would change vigil's verdicts. */
const REDACTIONS: readonly (Redaction & { readonly hides: string })[] = [
  { paths: true, screens: true, hides: 'texts, paths and screens' },
  { paths: false, screens: true, hides: 'texts and screens' },
  { paths: true, screens: false, hides: 'texts and paths' },
  { paths: false, screens: false, hides: 'texts' },
]

/** A recording with other verdicts than the reported one would not help. */
function redactedAlike(reports: readonly Report[], name: string) {
  const told = replayedChanges(reports)
  for (const redaction of REDACTIONS) {
    const { reports: lines, id: idOf } = redactAll(reports, redaction)
    if (replayedChanges(lines) !== told) continue
    if (redaction !== REDACTIONS[0])
      complain(`only ${redaction.hides} are hidden: vigil needs the rest to reproduce the states`)
    return { lines, hidden: redaction.hides, idOf }
  }
  throw new BadInput(
    `${name}: hiding its texts would change a state, so nothing was written; ` +
      'use --full to export it with prompts, answers and paths, and read it before you share it',
    1,
  )
}

function metaOf(
  { agent, version, id, host }: Session,
  t: number,
  hidden: string,
  idOf: (id: string) => string,
) {
  const known =
    version !== null && (hidden === 'nothing' || rulesOf(agent).isOwnWord('version', version))
  const session = idOf(reportedId(id, host))
  return {
    t,
    source: 'meta',
    agent,
    ...(known && { version }),
    session,
    vigil: ownVersion(),
    hidden,
  }
}

/**
 * Readable by the user alone. An existing file stays unless `--force` is given, and is never half
 * replaced.
 */
function writePrivate(path: string, text: string, force: boolean): void {
  const target = force ? `${path}.${process.pid}` : path
  try {
    const file = openSync(target, 'wx', 0o600)
    try {
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
    if (force) renameSync(target, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new BadInput(`${path}: exists already; use --force to replace it`)
    rmSync(target, { force: true })
    throw new BadInput(`${path}: cannot be written (${code})`)
  }
}

function tell(exported: number, relatives: number, reports: number, options: ExportOptions): void {
  const others = relatives - exported
  if (others > 0)
    complain(`${others} more sessions of the same conversation; use --lineage to export them too`)
  if (options.output !== undefined) complain(`${options.output}: ${reports} reports`)
}

function complain(line: string): void {
  err.line(`vigil: ${line}`)
}
