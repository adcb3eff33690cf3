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
import { ask, type DaemonFiles, loopPath, pathOf, queryOf, type RequestOptions } from './ask.ts'
import { DaemonGone, orNothing } from './errors.ts'
import { type EventsOptions, eventsOf, type StreamOptions, streamOf } from './events.ts'

/**
 * The client that every surface uses, over the daemon's Unix socket. It imports only Node's HTTP,
 * because a command must not wait for libraries that only the daemon needs. A session is named by
 * its address, or by its id on the daemon's own machine.
 */
export function connect(where: DaemonFiles, options: ClientOptions = {}): Client {
  return new Client(where, options)
}

export interface ClientOptions {
  readonly silenceMaxMs?: number
  /** SPEC K15. Called when the daemon has just ended, before the request is sent again. */
  readonly restart?: () => Promise<unknown>
}

/** Longer than any answer takes, and shorter than a user waits for a command that hangs. */
const SILENCE_MAX_MS = 10_000
const READING_MAX_MS = 60_000

export class Client {
  readonly #where: DaemonFiles
  readonly #options: ClientOptions

  constructor(where: DaemonFiles, options: ClientOptions) {
    this.#where = where
    this.#options = options
  }

  sessions({ all = false }: Partial<ListingOptions> = {}): Promise<Listing> {
    return this.#get(`/v1/sessions${queryOf({ all: all || undefined })}`)
  }

  session(id: string): Promise<Session | undefined> {
    return orNothing(this.#get(pathOf(id)))
  }

  explain(id: string): Promise<Explanation | undefined> {
    return orNothing(this.#get(`${pathOf(id)}/explain`))
  }

  talk(id: string): Promise<Talk | undefined> {
    return orNothing(this.#get(`${pathOf(id)}/talk`))
  }

  look(id: string): Promise<{ readonly looked: true }> {
    return this.#post(`${pathOf(id)}/look`, {})
  }

  name(id: string, name: string): Promise<Session> {
    return this.#post(`${pathOf(id)}/name`, { name })
  }

  /** Newest first; empty for an unknown session. */
  async history(id: string, limit?: number): Promise<readonly HistoryEntry[] | undefined> {
    const path = `${pathOf(id)}/history${queryOf({ limit })}`
    return (await orNothing(this.#get<{ history: readonly HistoryEntry[] }>(path)))?.history
  }

  /** Reading a month of a busy fleet takes seconds, and many seconds on a busy machine. */
  async insight(period: Period, zone?: string): Promise<Insight> {
    const path = `/v1/insight${queryOf({ period, zone })}`
    return JSON.parse(await this.#ask({ path, silenceMaxMs: READING_MAX_MS }))
  }

  insightCsv(period: Period, zone: string, table: string): Promise<string> {
    const path = `/v1/insight.csv${queryOf({ period, zone, table })}`
    return this.#ask({ path, silenceMaxMs: READING_MAX_MS })
  }

  /** One page of reports, oldest first, of one session or of all. */
  reports(query: ReportQuery & { readonly session?: string } = {}): Promise<ReportPage> {
    const { session, ...rest } = query
    const path = session === undefined ? '/v1' : pathOf(session)
    return this.#get(`${path}/reports${queryOf({ ...rest })}`)
  }

  /** Resolves when all reports are in the log. */
  post(postings: Posting | readonly Posting[]): Promise<Posted> {
    return this.#post('/v1/reports', postings)
  }

  import(name: string, lines: readonly Report[]): Promise<Imported> {
    return this.#post('/v1/import', { name, lines })
  }

  loops({ all = false } = {}): Promise<{ readonly loops: readonly LoopView[] }> {
    return this.#get(`/v1/loops${queryOf({ all: all || undefined })}`)
  }

  async loop(name: string): Promise<LoopView | undefined> {
    const answer = await orNothing(this.#get<{ readonly loop: LoopView }>(loopPath(name)))
    return answer?.loop
  }

  loopHistory(name: string): Promise<{ readonly steps: readonly LoopStep[] }> {
    return this.#get(`${loopPath(name)}/history`)
  }

  startLoop(wanted: LoopStart): Promise<LoopStarted> {
    return this.#post('/v1/loops', wanted)
  }

  /** Starts a loop from what the user typed after `/vigil:loop` in this session. */
  async beginLoop(session: string): Promise<LoopBegun> {
    type Answer = { readonly begun: LoopBegun }
    return (await this.#post<Answer>('/v1/loops/begin', { session })).begun
  }

  pauseLoop(name: string, why: string): Promise<{ readonly loop: LoopView }> {
    return this.#post(`${loopPath(name)}/pause`, { why })
  }

  resumeLoop(name: string): Promise<LoopStarted> {
    return this.#post(`${loopPath(name)}/resume`, {})
  }

  stopLoop(name: string, why: string): Promise<{ readonly loop: LoopView }> {
    return this.#post(`${loopPath(name)}/stop`, { why })
  }

  exportLoop(name: string): Promise<Record<string, unknown>> {
    return this.#get(`${loopPath(name)}/state`)
  }

  importLoop(session: string, state: string): Promise<{ readonly loop: LoopView }> {
    return this.#post('/v1/loops/import', { session, state })
  }

  requests(session?: string): Promise<OpenRequests> {
    return this.#get(`/v1/requests${queryOf({ session })}`)
  }

  /** The first answer counts. Throws a `BadRequest` with status 409 when the request is over. */
  async answer(id: string, answer: RequestAnswer): Promise<void> {
    await this.#post(`/v1/requests/${encodeURIComponent(id.toWellFormed())}/answer`, answer)
  }

  acts(query: { session?: string | undefined; limit?: number | undefined } = {}) {
    return this.#get<ActPage>(`/v1/acts${queryOf(query)}`)
  }

  /** One page of the audit log, oldest first; the next page begins after its last entry. */
  audit(query: AuditQuery = {}): Promise<AuditPage> {
    return this.#get(`/v1/audit${queryOf({ ...query })}`)
  }

  /** A code that signs one browser in, once. */
  browserCode(wanted: CodeWanted = {}): Promise<BrowserCode> {
    return this.#post('/v1/browsers/codes', wanted)
  }

  browsers(): Promise<BrowserList> {
    return this.#get('/v1/browsers')
  }

  async forgetBrowser(id: string): Promise<void> {
    await this.#post(`/v1/browsers/${encodeURIComponent(id)}/forget`, {})
  }

  typing(id: string): Promise<TypingView> {
    return this.#get(`${pathOf(id)}/typing`)
  }

  setTyping(id: string, on: boolean, where: RequestAnswer['where'] = 'cli'): Promise<TypingView> {
    return this.#post(`${pathOf(id)}/typing`, { on, where })
  }

  /** Throws a `BadRequest` with status 409 and the reason if the text cannot be typed. */
  say(id: string, text: string, where: RequestAnswer['where'] = 'cli'): Promise<PromptSent> {
    return this.#post(`${pathOf(id)}/prompt`, { text, where })
  }

  async interrupt(id: string, where: RequestAnswer['where'] = 'cli'): Promise<void> {
    await this.#post(`${pathOf(id)}/interrupt`, { where })
  }

  paneLines(id: string): Promise<PaneLines> {
    return this.#get(`${pathOf(id)}/pane`)
  }

  health(): Promise<Health> {
    return this.#get('/v1/health')
  }

  metrics(): Promise<string> {
    return this.#ask({ path: '/v1/metrics' })
  }

  /** Resolves when the daemon has agreed to end. */
  async stop(why: string): Promise<void> {
    await this.#post('/v1/stop', { why })
  }

  /** Every change after the given id, or every later change, until aborted. */
  events(options: EventsOptions = {}): AsyncGenerator<ChangeEvent, void> {
    return eventsOf(this.#where, options)
  }

  /** All sessions, then each when it changes, until aborted; in the batches that arrive. */
  stream(options: StreamOptions = {}): AsyncGenerator<readonly StreamEvent[], void> {
    return streamOf(this.#where, options)
  }

  async #get<RequestAnswer>(path: string): Promise<RequestAnswer> {
    return JSON.parse(await this.#ask({ path }))
  }

  async #post<RequestAnswer>(path: string, body: unknown): Promise<RequestAnswer> {
    return JSON.parse(await this.#ask({ method: 'POST', path, body }))
  }

  async #ask(
    asked: Omit<RequestOptions, 'silenceMaxMs'> & Partial<RequestOptions>,
  ): Promise<string> {
    const { silenceMaxMs = SILENCE_MAX_MS, restart } = this.#options
    const whole = { silenceMaxMs, ...asked }
    try {
      return await ask(this.#where, whole)
    } catch (error) {
      if (!restart || !(error instanceof DaemonGone && error.isUnsent)) throw error
      await restart()
      return ask(this.#where, whole)
    }
  }
}
