import { setTimeout } from 'node:timers/promises'
import type { z } from 'zod'
import type { Report } from '../../../core/signal.ts'
import * as parameters from '../../../protocol/parameters.ts'
import type { ReportEntry, ReportPage } from '../../../protocol/report.ts'
import * as schemas from '../../../protocol/report.ts'
import type { LoggedReport, ReportFilter } from '../../../store/store.ts'
import type { DaemonApi } from '../../daemon-api.ts'
import { badField, Problem } from '../../problem.ts'
import { type Route, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'

/** A recording is a whole conversation: far more than a report, and still read in one piece. */
const RECORDING_MAX_BYTES = 32 * 1024 * 1024

/** Clocks of other tools may be off, by time zones at most. */
const FUTURE_MAX_MS = 24 * 60 * 60 * 1000

/** Deeper than any client nests, and far from overflowing the stack of a recursive writer. */
const DEPTH_MAX = 100

/** Reports with large payloads must not add up to a response that fills the memory. */
const PAGE_MAX_CHARACTERS = 4 * 1024 * 1024

const TOO_MANY =
  'too many sessions are open, so a posted report cannot open another; close some, or wait'

export function reportRoutes({ api, now, logWaitMaxMs }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/reports',
      summary: 'The raw reports of all sessions, oldest first.',
      query: parameters.pageOfReports,
      answer: schemas.reportPage,
      handle: ({ query }) => pageOf(api, query),
    }),
    route({
      method: 'post',
      path: '/v1/reports',
      summary: 'Adds one report or a list of reports; answered once they are in the log.',
      access: 'token',
      body: schemas.postings,
      also: [429, 503],
      answer: schemas.posted,
      handle: async ({ body, caller }) => {
        const postings = Array.isArray(body) ? body : [body]
        const reports = postings.map(({ report }, at) => {
          const where = Array.isArray(body) ? `body.${at}.report` : 'body.report'
          const timed = checked({ ...report, t: report.t ?? now() }, where, now())
          return 'transport' in caller && caller.transport === 'unix' ? timed : withoutPlace(timed)
        })
        // SPEC LI3. All of them or none: a retried list must not be half stored.
        if (!reports.every((report) => api.admits(report))) throw new Problem(429, TOO_MANY)
        const taken = await inLog(logWaitMaxMs, () =>
          Promise.all(reports.map((report, at) => api.post(report, postings[at]?.key))),
        )
        return { machine: api.machine, sessions: taken.map(({ session }) => session ?? null) }
      },
    }),
    route({
      method: 'post',
      path: '/v1/import',
      summary: 'Adds a recording to the log, as sessions that are not live.',
      access: 'token',
      body: schemas.recording,
      bodyMaxBytes: RECORDING_MAX_BYTES,
      also: [503],
      answer: schemas.imported,
      handle: async ({ body }) => {
        const lines = body.lines.map((line, at) => checked(line, `body.lines.${at}`, now()))
        const { sessions } = await inLog(logWaitMaxMs, async () => api.import(body.name, lines))
        return { machine: api.machine, sessions }
      },
    }),
  ]
}

type Query = z.output<typeof parameters.pageOfReports>

/** As many as requested or as fit into a response; at least one report, so that paging ends. */
export function pageOf(api: DaemonApi, query: Query, session?: string): ReportPage {
  const filter: ReportFilter = {
    limit: query.limit,
    ...(query.after !== undefined && { after: query.after }),
    ...(query.source !== undefined && { source: query.source }),
    ...(session !== undefined && { session }),
  }
  const found = api.reports(filter)
  const reports: ReportEntry[] = []
  let size = 0
  for (const entry of found.map(entryOf)) {
    size += JSON.stringify(entry).length
    if (reports.length > 0 && size > PAGE_MAX_CHARACTERS) break
    reports.push(entry)
  }
  const more = reports.length < found.length || found.length >= query.limit
  return { machine: api.machine, reports, next: more ? (reports.at(-1)?.id ?? null) : null }
}

function entryOf({ id, session, key, report }: LoggedReport): ReportEntry {
  return { id, session: session ?? null, key: key ?? null, report }
}

function checked(report: Report, where: string, now: number): Report {
  if (report.t > now + FUTURE_MAX_MS)
    throw badField(`${where}.t`, 'expected a time no more than a day from now', report.t)
  if (!isShallow(report, DEPTH_MAX))
    throw badField(where, `expected at most ${DEPTH_MAX} levels of nesting`, report)
  return report
}

/**
 * SPEC BR9. Without the process and the terminal that it names: these identify a session as an
 * agent's own and allow typing into it. Hooks and registries report them in files, `vigil run`
 * through the socket.
 */
function withoutPlace(report: Report): Report {
  const { env: _, pid: _pid, pane: _pane, tmux: _tmux, tmuxPane: _its, file, ...rest } = report
  if (typeof file !== 'object' || file === null) return 'file' in report ? { ...rest, file } : rest
  const { pid: _id, procStart: _start, ...said } = file as Record<string, unknown>
  return { ...rest, file: said }
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1))
}

async function inLog<T>(waitMaxMs: number, write: () => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const late = setTimeout(waitMaxMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`not written within ${waitMaxMs} ms; send the report again with the same key`)
  })
  try {
    return await Promise.race([write(), late])
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Problem(503, `the log could not be written: ${why}`)
  } finally {
    late.catch(() => {})
    stop.abort()
  }
}
