import { agentOf } from '../../agents/index.ts'
import type { OpenRequest, RequestAnswer, RequestOutcome } from '../../protocol/request.ts'
import type { Arrival, Complain, Spooled } from '../../sources/arrival.ts'
import type { ActTable } from '../../store/acts.ts'
import { Problem } from '../problem.ts'
import { bindingOf } from '../waiting-callers.ts'
import type { AnswerableRequests } from './answerable.ts'
import { choiceWords } from './choice-words.ts'
import { ClosedRequests, PLACE_WORDS } from './closed-requests.ts'
import type { HeldRequests } from './held.ts'
import { type DialogPanes, PaneRequests } from './pane-requests.ts'
import type { RequestFiles } from './request-files.ts'
import type { ActRecorder, Requests } from './shapes.ts'
import {
  CROWDED,
  decidedOn,
  openRequest,
  requestRowOf,
  revived,
  type StoredRequest,
  storedFrom,
} from './stored-request.ts'

export interface RequestParts {
  readonly open: AnswerableRequests
  readonly acts: Pick<ActRecorder, 'note'>
  readonly table: Pick<ActTable, 'keepRequest' | 'forgetRequests' | 'requests'>
  readonly now: () => number
  /** Why it is over, in words; undefined while it is open. */
  readonly overBy: (stored: StoredRequest) => string | undefined
  /** The request of a session without hooks, from its log. */
  readonly logged: (session: string) => StoredRequest | undefined
  /** Learns everything that has arrived, so that no request known to be over is answered. */
  readonly settle: () => void
  readonly complain: Complain
  readonly panes: DialogPanes
  readonly files: RequestFiles
}

/** A hook fetches its answer within 0.2 s; on a machine that swaps its Node may take seconds. */
const FETCHED_WITHIN_MS = 20_000

/** SPEC AN7–AN20. The requests of agents and the waiting hooks; ensures a single answer. */
export class LocalRequests implements Requests {
  readonly #parts: RequestParts
  readonly #open: AnswerableRequests
  readonly #held: HeldRequests
  /** Answers that their hooks have not fetched yet, by binding. */
  readonly #answers = new Map<string, GivenAnswer>()
  readonly #closedRequests: ClosedRequests
  readonly #panes: PaneRequests

  constructor(parts: RequestParts) {
    this.#parts = parts
    this.#open = parts.open
    this.#held = parts.open.held
    this.#closedRequests = new ClosedRequests(parts.now)
    this.#panes = new PaneRequests(parts.open, parts.panes)
  }

  close(): void {
    this.#panes.close()
  }

  /** SPEC AN17. Requests that were open when the daemon ended; their hooks still wait. */
  start(): void {
    for (const row of this.#parts.table.requests()) {
      const stored = revived(row)
      if (stored && this.#parts.overBy(stored) === undefined) {
        this.#held.put(stored)
        this.#parts.files.look(stored)
      } else this.#forget(row.id)
    }
    const open = new Set(this.#held.all().map(({ spooled }) => spooled.name))
    this.#open.hooks.endAllBut((name) => open.has(name))
  }

  onReport(arrival: Arrival): void {
    const stored = storedFrom(arrival)
    if (!stored || this.#held.get(stored.id)) return
    this.#open.setFolder()
    const isOver = this.#parts.overBy(stored) !== undefined
    // SPEC AN11. A subagent's dialog is not on the screen before its hook has ended.
    if (isOver || stored.asked.actor !== null) this.#open.hooks.send(stored.spooled.name, 'end')
    if (!isOver) this.#add(stored)
  }

  #add(stored: StoredRequest): void {
    this.#put(stored)
    this.#open.emit(stored.asked.session)
    this.#panes.look(stored.asked.session)
    this.#parts.files.look(stored)
  }

  /** SPEC AN15. Sessions with new reports: their requests may be over. */
  onSessionsChanged(sessions: ReadonlySet<string>): void {
    for (const stored of [...sessions].flatMap((session) => this.#held.ofSession(session))) {
      const how = this.#parts.overBy(stored)
      if (how !== undefined) this.#end(stored, how)
    }
    for (const session of sessions) {
      const logged =
        this.#held.ofSession(session).length > 0 ? undefined : this.#parts.logged(session)
      if (logged && !this.#closedRequests.has(logged.id)) this.#add(logged)
    }
  }

  list({ session }: { readonly session?: string | undefined } = {}): readonly OpenRequest[] {
    this.#parts.settle()
    const held = session === undefined ? this.#held.all() : this.#held.ofSession(session)
    return held.toSorted((a, b) => a.at - b.at).map((stored) => this.#shown(stored))
  }

  find(id: string): OpenRequest | undefined {
    this.#parts.settle()
    const stored = this.#held.get(id)
    return stored && this.#shown(stored)
  }

  #shown(stored: StoredRequest): OpenRequest {
    return openRequest(stored, this.#open.whyNot(stored), this.#parts.files.shownWith(stored))
  }

  answer(id: string, answer: RequestAnswer, who: string): Promise<void> | undefined {
    const stored = this.#answerable(id)
    if (stored.crowded && answer.choice !== 'deny') throw new Problem(409, CROWDED)
    const answers = agentOf(stored.agent)?.answers
    if (!answers) throw new Problem(409, 'this agent can only be answered in its terminal')
    const made = answers.outputOf(stored.asked, answer)
    if ('misfit' in made) throw new Problem(400, `${made.field}: ${made.misfit}`, made.field)
    const { output } = made
    const { asked, spooled } = stored
    const { where, shown } = answer
    // SPEC SH5. A denial is harmless; any approval must be about what the user saw.
    if (answer.choice !== 'deny' && shown !== spooled.digest) throw new Problem(409, NOT_SHOWN)
    const words = choiceWords(asked, answer, answers.suggestionsOf(asked))
    // SPEC AN20. In the log before the agent gets it: what cannot be logged is not done.
    const note = (decision: object) => {
      const act = { session: asked.session, what: 'answer', who, where, words } as const
      this.#parts.acts.note({ ...act, shown: decidedOn(stored, decision) })
    }
    if (!this.#open.hooks.waits(stored.spooled.name)) return this.#type(stored, answer, note)
    note(output)
    this.#give(stored, output)
    this.#end(stored, `answered ${PLACE_WORDS[where]}`)
    return undefined
  }

  #answerable(id: string): StoredRequest {
    this.#parts.settle()
    const stored = this.#held.get(id)
    if (!stored) throw this.#missing(id)
    const why = this.#open.whyNot(stored)
    if (why !== null) throw new Problem(409, `the request cannot be answered from here: ${why}`)
    return stored
  }

  /** Through its pane; the daemon continues meanwhile, so the conditions are checked again. */
  async #type(stored: StoredRequest, answer: RequestAnswer, note: (decision: object) => void) {
    await this.#panes.answer(stored, answer, (keys) => {
      this.#answerable(stored.id)
      note({ keys })
    })
    const how = `answered ${PLACE_WORDS[answer.where]}`
    if (this.#held.get(stored.id)) this.#end(stored, how)
    else this.#closedRequests.add(stored.id, how)
  }

  /** SPEC BR2. By the payload as well as by the name. */
  outcome(report: Spooled): RequestOutcome {
    const binding = bindingOf(report)
    const given = this.#answers.get(binding)
    if (!given) return { act: this.#held.boundTo(binding) ? 'again' : 'nothing' }
    clearTimeout(given.late)
    this.#answers.delete(binding)
    this.#open.hooks.forget(report.name)
    this.#forget(given.stored.id)
    return { act: 'decide', output: given.output, digest: report.digest }
  }

  asksOf(session: string): readonly string[] {
    return this.#open.asksOf(session)
  }

  onAsks(listener: (session: string) => void): () => void {
    return this.#open.changed.add(listener)
  }

  /** Tells its hook to fetch it; an answer that is not fetched leaves the request open. */
  #give(stored: StoredRequest, output: GivenAnswer['output']): void {
    const binding = bindingOf(stored.spooled)
    const late = setTimeout(() => {
      this.#answers.delete(binding)
      this.#parts.complain('a hook did not fetch its answer', { request: stored.id })
      if (this.#parts.overBy(stored) === undefined) this.#put(stored)
      else this.#release(stored)
      this.#open.emit(stored.asked.session)
    }, FETCHED_WITHIN_MS).unref()
    this.#answers.set(binding, { stored, output, late })
    this.#open.hooks.send(stored.spooled.name, 'answer')
  }

  #put(stored: StoredRequest): void {
    const { cut, dropped } = this.#held.put(stored)
    const isCut = cut.some(({ id }) => id === stored.id)
    for (const row of (isCut ? cut : [stored, ...cut]).map(requestRowOf))
      this.#save(() => this.#parts.table.keepRequest(row))
    for (const other of dropped) this.#end(other, 'too many were open; see its terminal')
  }

  #end(stored: StoredRequest, how: string): void {
    this.#closedRequests.add(stored.id, how)
    // SPEC AN17. An answer that its hook has not fetched must not be lost with the daemon.
    if (!this.#answers.has(bindingOf(stored.spooled))) this.#release(stored)
    this.#open.remove(stored)
  }

  #release({ id, spooled }: StoredRequest): void {
    this.#open.hooks.send(spooled.name, 'end')
    this.#forget(id)
  }

  #forget(id: string): void {
    this.#save(() => this.#parts.table.forgetRequests([id]))
  }

  /** What cannot be stored only does not outlive the daemon. */
  #save(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#parts.complain('a request could not be written', { why: (error as Error).message })
    }
  }

  #missing(id: string): Problem {
    const over = this.#closedRequests.wordsOf(id)
    if (over !== undefined) return new Problem(409, `the request is over: ${over}`)
    return new Problem(404, 'id: no such request; GET /v1/requests lists them', 'id')
  }
}

interface GivenAnswer {
  readonly stored: StoredRequest
  readonly output: Readonly<Record<string, unknown>>
  readonly late: NodeJS.Timeout
}

const NOT_SHOWN = 'the request has changed since it was shown to you; look at it again'
