import type { Report } from '../core/signal.ts'
import type { ActPage, AuditPage } from '../protocol/act.ts'
import type { BrowserCode, BrowserList, CodeWanted } from '../protocol/browser.ts'
import type { Period } from '../protocol/constants.ts'
import type { Health } from '../protocol/daemon.ts'
import type { Insight } from '../protocol/insight.ts'
import type { LoopBegun, LoopStart, LoopStarted, LoopStep, LoopView } from '../protocol/loop.ts'
import type { PaneLines, PromptSent, TypingView } from '../protocol/pane.ts'
import type { AuditQuery, ListingOptions, ReportQuery } from '../protocol/parameters.ts'
import type { Imported, Posted, Posting, ReportPage } from '../protocol/report.ts'
import type { OpenRequests, RequestAnswer } from '../protocol/request.ts'
import type {
  ChangeEvent,
  Explanation,
  HistoryEntry,
  Listing,
  Session,
  Talk,
} from '../protocol/session.ts'
import type { StreamEvent } from '../protocol/stream.ts'
import { type DaemonFiles, loopPath, pathOf, queryOf } from './ask.ts'
import { type ClientOptions, READING_MAX_MS } from './client-calls.ts'
import { orNothing } from './errors.ts'
import { type EventsOptions, eventsOf, type StreamOptions, streamOf } from './events.ts'
import { FleetClient } from './fleet-client.ts'

/**
 * The client that every surface uses, over the daemon's Unix socket. It imports only Node's HTTP,
 * because a command must not wait for libraries that only the daemon needs. A session is named by
 * its address, or by its id on the daemon's own machine.
 */
export function connect(where: DaemonFiles, options: ClientOptions = {}): Client {
  return new Client(where, options)
}

export class Client extends FleetClient {
  sessions({ all = false }: Partial<ListingOptions> = {}): Promise<Listing> {
    return this.read(`/v1/sessions${queryOf({ all: all || undefined })}`)
  }

  session(id: string): Promise<Session | undefined> {
    return orNothing(this.read(pathOf(id)))
  }

  explain(id: string): Promise<Explanation | undefined> {
    return orNothing(this.read(`${pathOf(id)}/explain`))
  }

  talk(id: string): Promise<Talk | undefined> {
    return orNothing(this.read(`${pathOf(id)}/talk`))
  }

  look(id: string): Promise<{ readonly looked: true }> {
    return this.send(`${pathOf(id)}/look`, {})
  }

  name(id: string, name: string): Promise<Session> {
    return this.send(`${pathOf(id)}/name`, { name })
  }

  /** Newest first; empty for an unknown session. */
  async history(id: string, limit?: number): Promise<readonly HistoryEntry[] | undefined> {
    const path = `${pathOf(id)}/history${queryOf({ limit })}`
    return (await orNothing(this.read<{ history: readonly HistoryEntry[] }>(path)))?.history
  }

  /** Reading a month of a busy fleet takes seconds, and many seconds on a busy machine. */
  async insight(period: Period, zone?: string, machine?: string): Promise<Insight> {
    const path = `/v1/insight${queryOf({ period, zone, machine })}`
    return JSON.parse(await this.request({ path, silenceMaxMs: READING_MAX_MS }))
  }

  insightCsv(period: Period, zone: string, table: string): Promise<string> {
    const path = `/v1/insight.csv${queryOf({ period, zone, table })}`
    return this.request({ path, silenceMaxMs: READING_MAX_MS })
  }

  /** One page of reports, oldest first, of one session or of all. */
  reports(query: ReportQuery & { readonly session?: string } = {}): Promise<ReportPage> {
    const { session, ...rest } = query
    const path = session === undefined ? '/v1' : pathOf(session)
    return this.read(`${path}/reports${queryOf({ ...rest })}`)
  }

  /** Resolves when all reports are in the log. */
  post(postings: Posting | readonly Posting[]): Promise<Posted> {
    return this.send('/v1/reports', postings)
  }

  import(name: string, lines: readonly Report[]): Promise<Imported> {
    return this.send('/v1/import', { name, lines })
  }

  loops({ all = false } = {}): Promise<{ readonly loops: readonly LoopView[] }> {
    return this.read(`/v1/loops${queryOf({ all: all || undefined })}`)
  }

  async loop(name: string): Promise<LoopView | undefined> {
    const answer = await orNothing(this.read<{ readonly loop: LoopView }>(loopPath(name)))
    return answer?.loop
  }

  loopHistory(name: string): Promise<{ readonly steps: readonly LoopStep[] }> {
    return this.read(`${loopPath(name)}/history`)
  }

  startLoop(wanted: LoopStart): Promise<LoopStarted> {
    return this.send('/v1/loops', wanted)
  }

  /** Starts a loop from what the user typed after `/vigil:loop` in this session. */
  async beginLoop(session: string): Promise<LoopBegun> {
    type Answer = { readonly begun: LoopBegun }
    return (await this.send<Answer>('/v1/loops/begin', { session })).begun
  }

  pauseLoop(name: string, why: string): Promise<{ readonly loop: LoopView }> {
    return this.send(`${loopPath(name)}/pause`, { why })
  }

  resumeLoop(name: string): Promise<LoopStarted> {
    return this.send(`${loopPath(name)}/resume`, {})
  }

  stopLoop(name: string, why: string): Promise<{ readonly loop: LoopView }> {
    return this.send(`${loopPath(name)}/stop`, { why })
  }

  exportLoop(name: string): Promise<Record<string, unknown>> {
    return this.read(`${loopPath(name)}/state`)
  }

  importLoop(session: string, state: string): Promise<{ readonly loop: LoopView }> {
    return this.send('/v1/loops/import', { session, state })
  }

  requests(session?: string): Promise<OpenRequests> {
    return this.read(`/v1/requests${queryOf({ session })}`)
  }

  /** The first answer counts. Throws a `BadRequest` with status 409 when the request is over. */
  async answer(id: string, answer: RequestAnswer): Promise<void> {
    await this.send(`/v1/requests/${encodeURIComponent(id.toWellFormed())}/answer`, answer)
  }

  acts(query: { session?: string | undefined; limit?: number | undefined } = {}) {
    return this.read<ActPage>(`/v1/acts${queryOf(query)}`)
  }

  /** One page of the audit log, oldest first; the next page begins after its last entry. */
  audit(query: AuditQuery = {}): Promise<AuditPage> {
    return this.read(`/v1/audit${queryOf({ ...query })}`)
  }

  /** A code that signs one browser in, once. */
  browserCode(wanted: CodeWanted = {}): Promise<BrowserCode> {
    return this.send('/v1/browsers/codes', wanted)
  }

  browsers(): Promise<BrowserList> {
    return this.read('/v1/browsers')
  }

  async forgetBrowser(id: string): Promise<void> {
    await this.send(`/v1/browsers/${encodeURIComponent(id)}/forget`, {})
  }

  typing(id: string): Promise<TypingView> {
    return this.read(`${pathOf(id)}/typing`)
  }

  setTyping(id: string, on: boolean, where: RequestAnswer['where'] = 'cli'): Promise<TypingView> {
    return this.send(`${pathOf(id)}/typing`, { on, where })
  }

  /** Throws a `BadRequest` with status 409 and the reason if the text cannot be typed. */
  say(id: string, text: string, where: RequestAnswer['where'] = 'cli'): Promise<PromptSent> {
    return this.send(`${pathOf(id)}/prompt`, { text, where })
  }

  async interrupt(id: string, where: RequestAnswer['where'] = 'cli'): Promise<void> {
    await this.send(`${pathOf(id)}/interrupt`, { where })
  }

  paneLines(id: string): Promise<PaneLines> {
    return this.read(`${pathOf(id)}/pane`)
  }

  health(): Promise<Health> {
    return this.read('/v1/health')
  }

  metrics(): Promise<string> {
    return this.request({ path: '/v1/metrics' })
  }

  /** Resolves when the daemon has agreed to end. */
  async stop(why: string): Promise<void> {
    await this.send('/v1/stop', { why })
  }

  /** Every change after the given id, or every later change, until aborted. */
  events(options: EventsOptions = {}): AsyncGenerator<ChangeEvent, void> {
    return eventsOf(this.where, options)
  }

  /** All sessions, then each when it changes, until aborted; in the batches that arrive. */
  stream(options: StreamOptions = {}): AsyncGenerator<readonly StreamEvent[], void> {
    return streamOf(this.where, options)
  }
}
