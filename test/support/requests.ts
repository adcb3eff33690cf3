import { translate } from '../../src/agents/index.ts'
import type { Report } from '../../src/core/signal.ts'
import { Tracker } from '../../src/core/tracker.ts'
import { LoggedActs } from '../../src/daemon/requests/acts.ts'
import { AgentServers } from '../../src/daemon/requests/agent-servers.ts'
import { AnswerSwitch } from '../../src/daemon/requests/answer-switch.ts'
import { AnswerableRequests } from '../../src/daemon/requests/answerable.ts'
import { overBy } from '../../src/daemon/requests/over.ts'
import type { DialogPanes } from '../../src/daemon/requests/pane-requests.ts'
import { RequestFiles } from '../../src/daemon/requests/request-files.ts'
import { LocalRequests } from '../../src/daemon/requests/requests.ts'
import type { StoredRequest } from '../../src/daemon/requests/stored-request.ts'
import type { HookCommand, WaitingHooks } from '../../src/daemon/requests/waiting-hooks.ts'
import { trim } from '../../src/daemon/trim.ts'
import type { RequestAnswer, RequestOutcome } from '../../src/protocol/request.ts'
import type { ActFilter, AuditFilter, RequestRow } from '../../src/store/acts.ts'
import { type ActRow, actHash, type ChainedAct, GENESIS } from '../../src/store/chain.ts'
import type { ChainHead } from '../../src/store/chain-check.ts'
import type { NewAct } from '../../src/store/chained.ts'
import { NO_PANES } from './no-panes.ts'
import { spooledAs } from './spooled.ts'

/** The store's part for acts and requests, in a list, as JSON. */
export class MemoryActs {
  readonly rows: ChainedAct[] = []
  readonly stored = new Map<string, string>()
  /** The error of the disk; undefined while it works. */
  failure: Error | undefined

  note({ shown = null, digest = null, ...act }: NewAct): ChainHead {
    if (this.failure) throw this.failure
    const id = this.rows.length + 1
    const previous = this.rows.at(-1)?.hash ?? GENESIS
    const row = { ...act, shown, digest, id, previous }
    const hash = actHash(row)
    this.rows.push({ ...row, hash })
    return { act: id, hash }
  }

  list({ session, limit }: ActFilter): ActRow[] {
    const own = this.rows.filter((row) => session === undefined || row.session === session)
    return own
      .toReversed()
      .slice(0, limit)
      .map(({ shown: _, digest: _d, previous: _p, hash: _h, ...act }) => act)
  }

  page({ after = 0, limit }: AuditFilter): ChainedAct[] {
    return this.rows.filter(({ id }) => id > after).slice(0, limit)
  }

  keepRequest(row: RequestRow): void {
    if (this.failure) throw this.failure
    this.stored.set(row.id, JSON.stringify(row))
  }

  forgetRequests(ids: readonly string[]): void {
    for (const id of ids) this.stored.delete(id)
  }

  requests(): RequestRow[] {
    return [...this.stored.values()].map((row) => JSON.parse(row))
  }
}

/** Waiting hooks without a shell and a pipe. */
export class HooksInMemory implements WaitingHooks {
  isOpen = false
  readonly waiting = new Map<string, (word: HookCommand) => void>()

  open(): void {
    this.isOpen = true
  }

  close(): void {
    this.isOpen = false
    this.endAllBut(() => false)
  }

  waits(name: string): boolean {
    return this.waiting.has(name)
  }

  send(name: string, word: HookCommand): boolean {
    const hears = this.waiting.get(name)
    if (word === 'end') this.forget(name)
    hears?.(word)
    return hears !== undefined
  }

  forget(name: string): void {
    this.waiting.delete(name)
  }

  endAllBut(isOpen: (name: string) => boolean): void {
    for (const name of [...this.waiting.keys()]) if (!isOpen(name)) this.send(name, 'end')
  }
}

interface Around {
  readonly tracker: Tracker
  readonly now: () => number
  readonly table?: MemoryActs
  readonly hooks?: HooksInMemory
  readonly panes?: DialogPanes
  readonly logged?: (session: string) => StoredRequest | undefined
  readonly files?: RequestFiles
  readonly servers?: AgentServers
}

const NO_FILES = new RequestFiles({
  folderOf: () => null,
  home: null,
  read: async () => undefined,
  found: () => {},
})

/** The real keeper of requests, without a disk. */
export function requestsInMemory(around: Around) {
  const { tracker, now, table = new MemoryActs(), hooks, panes = NO_PANES } = around
  const { logged = () => undefined, files = NO_FILES, servers = new AgentServers() } = around
  const allowed = new AnswerSwitch()
  const acts = new LoggedActs(table, now)
  const waiting = hooks ?? new HooksInMemory()
  const requests = new LocalRequests({
    open: new AnswerableRequests(allowed, waiting),
    acts,
    table,
    now,
    overBy: ({ asked, key, at }) =>
      overBy(tracker.sessions.facts(asked.session), tracker.verdict(asked.session), { key, at }),
    logged,
    settle: () => {},
    complain: () => {},
    panes,
    servers,
    files,
  })
  allowed.use({ on: true })
  return { allowed, acts, requests, table, hooks: waiting }
}

/** Each in a process of its own. */
export function pidOf(session: string): number {
  return 100 + session.length * 1000 + session.charCodeAt(0)
}

const T0 = 1_790_000_000_000

/** Requests with the real core around them, and a clock that the test controls. */
export class RequestRig {
  now = T0
  readonly tracker = new Tracker(translate)
  readonly table: MemoryActs
  readonly allowed: AnswerSwitch
  readonly hooks: HooksInMemory
  readonly acts: LoggedActs
  readonly requests: LocalRequests
  /** The requests of its session, after each change. */
  readonly told: { readonly session: string; readonly asks: readonly string[] }[] = []
  readonly reports: Report[] = []
  #files = 0

  constructor({ table = new MemoryActs(), ...more }: Omit<Around, 'tracker' | 'now'> = {}) {
    const { tracker } = this
    const made = requestsInMemory({ tracker, now: () => this.now, table, ...more })
    this.table = table
    this.allowed = made.allowed
    this.hooks = made.hooks
    this.acts = made.acts
    this.requests = made.requests
    this.requests.onAsks((session) =>
      this.told.push({ session, asks: this.requests.asksOf(session) }),
    )
  }

  /** A hook's report, as the spool delivers it; returns the name by which its hook asks. */
  hook(session: string, event: string, more: object = {}, env: object = {}): string {
    this.now += 1
    this.#files += 1
    const name = `hook.${this.#files}`
    const payload = { session_id: session, hook_event_name: event, cwd: '/p', ...more }
    if ('asks' in env) this.hooks.waiting.set(name, () => {})
    this.learn(
      { t: this.now, source: 'hook', payload, env: { claudePid: pidOf(session), ...env } },
      name,
    )
    return name
  }

  /** Reads what another instance has stored, as a daemon does from the log. */
  learnFrom(other: RequestRig): void {
    for (const report of other.reports)
      this.tracker.judge(this.tracker.learn(trim(report)), this.now)
  }

  learn(report: Report, name?: string): void {
    this.reports.push(report)
    const ids = this.tracker.learn(trim(report))
    this.tracker.judge(ids, this.now)
    const key = `${name}@${report.t}`
    this.requests.onReport({ report, ...(name && { key, spooled: spooledAs(name) }) })
    this.requests.onSessionsChanged(ids)
  }

  /** A prompt, a tool, and the request for permission. */
  asks(session = 'one', tool = 'Bash', input: object = { command: 'npm test' }, more: object = {}) {
    this.hook(session, 'UserPromptSubmit', { prompt: 'go' })
    const call = { tool_name: tool, tool_input: input, tool_use_id: `t${this.#files}` }
    this.hook(session, 'PreToolUse', call)
    const { tool_use_id: _, ...asked } = call
    const name = this.hook(session, 'PermissionRequest', { ...asked, ...more }, { asks: 1 })
    const id = this.requests.list({ session }).at(-1)?.id ?? ''
    return { name, id, call }
  }

  /** Answers what was shown, as every surface does. */
  answer(id: string, answer: RequestAnswer, who: string): Promise<void> | undefined {
    const shown = this.requests.find(id)?.digest
    return this.requests.answer(id, { ...answer, ...(shown !== undefined && { shown }) }, who)
  }

  /** Its hook waits, and fetches its answer when it gets the line; `left` ends it. */
  waits(name: string): { told: Promise<RequestOutcome>; left: () => void } {
    const told = Promise.withResolvers<RequestOutcome>()
    this.hooks.waiting.set(name, (word) => {
      told.resolve(word === 'end' ? { act: 'nothing' } : this.outcome(name))
    })
    return { told: told.promise, left: () => this.hooks.forget(name) }
  }

  outcome(name: string): RequestOutcome {
    return this.requests.outcome(spooledAs(name))
  }
}
