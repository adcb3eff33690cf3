import { decisionOf } from '../../agents/choice.ts'
import { agentOf } from '../../agents/index.ts'
import type { Fields } from '../../agents/read.ts'
import type { OpenRequest, RequestAnswer, RequestOutcome } from '../../protocol/request.ts'
import type { Arrival, Complain, Spooled } from '../../sources/arrival.ts'
import { Problem } from '../problem.ts'
import { bindingOf } from '../waiting-callers.ts'
import type { AgentServers, AskedByServer } from './agent-servers.ts'
import type { AnswerableRequests } from './answerable.ts'
import { choiceWords } from './choice-words.ts'
import { ClosedRequests, PLACE_WORDS } from './closed-requests.ts'
import type { HeldRequests } from './held.ts'
import { KeptRequests, type RequestTable } from './kept-requests.ts'
import { type DialogPanes, PaneRequests } from './pane-requests.ts'
import type { RequestFiles } from './request-files.ts'
import { isServed, ServedRequests, servedId, servedRequest } from './served-requests.ts'
import type { ActRecorder, Requests } from './shapes.ts'
import {
  CROWDED,
  decidedOn,
  openRequest,
  type StoredRequest,
  storedFrom,
} from './stored-request.ts'
import { UnfetchedAnswers } from './unfetched-answers.ts'

export interface RequestParts {
  readonly open: AnswerableRequests
  readonly acts: Pick<ActRecorder, 'note'>
  readonly table: RequestTable
  readonly now: () => number
  /** Why it is over, in words; undefined while it is open. */
  readonly overBy: (stored: StoredRequest) => string | undefined
  /** The request of a session without hooks, from its log. */
  readonly logged: (session: string) => StoredRequest | undefined
  /** Learns everything that has arrived, so that no request known to be over is answered. */
  readonly settle: () => void
  readonly complain: Complain
  readonly panes: DialogPanes
  readonly servers: AgentServers
  readonly files: RequestFiles
}

/** SPEC AN7–AN20. The requests of agents and the waiting hooks; ensures a single answer. */
export class LocalRequests implements Requests {
  readonly #parts: RequestParts
  readonly #open: AnswerableRequests
  readonly #held: HeldRequests
  readonly #answers = new UnfetchedAnswers()
  readonly #closedRequests: ClosedRequests
  readonly #kept: KeptRequests
  readonly #panes: PaneRequests
  readonly #served: ServedRequests
  readonly #unfollow: readonly (() => void)[]

  constructor(parts: RequestParts) {
    this.#parts = parts
    this.#open = parts.open
    this.#held = parts.open.held
    this.#closedRequests = new ClosedRequests(parts.now)
    this.#kept = new KeptRequests(parts.table, parts.complain)
    this.#panes = new PaneRequests(parts.open, parts.panes)
    this.#served = new ServedRequests(parts.servers, parts.now)
    this.#unfollow = [
      parts.servers.asked.add((asked) => this.#onServer(asked)),
      parts.servers.over.add(({ id, how }) => {
        const stored = this.#held.get(servedId(id))
        if (stored) this.#end(stored, how)
      }),
    ]
  }

  close(): void {
    for (const unfollow of this.#unfollow) unfollow()
    this.#panes.close()
  }

  /** SPEC AN17. Requests that were open when the daemon ended; their hooks still wait. */
  start(): void {
    for (const stored of this.#kept.open((one) => this.#parts.overBy(one) !== undefined)) {
      this.#held.put(stored)
      this.#parts.files.look(stored)
    }
    const open = new Set(this.#held.all().map(({ spooled }) => spooled.name))
    this.#open.hooks.endAllBut((name) => open.has(name))
  }

  onReport(arrival: Arrival): void {
    const stored = storedFrom(arrival)
    if (!stored || this.#held.get(stored.id)) return
    // SPEC CX44. The server asks the same, and takes the answer.
    if (this.#parts.servers.holds(stored.asked.session)) return
    this.#open.setFolder()
    const isOver = this.#parts.overBy(stored) !== undefined
    // SPEC AN11. A subagent's dialog is not on the screen before its hook has ended.
    if (isOver || stored.asked.actor !== null) this.#open.hooks.send(stored.spooled.name, 'end')
    if (!isOver) this.#add(stored)
  }

  /** SPEC CX44. Of the same dialog a hook or a log may have told before. */
  #onServer(asked: AskedByServer): void {
    const stored = servedRequest(asked)
    for (const other of this.#held.ofSession(stored.asked.session))
      if (!isServed(other)) this.#end(other, 'its agent’s server asks')
    this.#add(stored)
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
    const made = decisionOf(answers, stored.asked, answer)
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
    if (!this.#open.hooks.waits(spooled.name)) return this.#pass(stored, answer, output, note)
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

  /** The daemon continues meanwhile, so the conditions are checked again. */
  async #pass(
    stored: StoredRequest,
    answer: RequestAnswer,
    output: Fields,
    note: (decision: object) => void,
  ) {
    const check = (decision: object) => {
      this.#answerable(stored.id)
      note(decision)
    }
    if (isServed(stored)) await this.#served.answer(stored, answer, output, () => check(output))
    else await this.#panes.answer(stored, answer, (keys) => check({ keys }))
    const how = `answered ${PLACE_WORDS[answer.where]}`
    if (this.#held.get(stored.id)) this.#end(stored, how)
    else this.#closedRequests.add(stored.id, how)
  }

  outcome(report: Spooled): RequestOutcome {
    const given = this.#answers.take(report)
    if (!given) return { act: this.#held.boundTo(bindingOf(report)) ? 'again' : 'nothing' }
    this.#open.hooks.forget(report.name)
    this.#kept.forget(given.stored.id)
    return { act: 'decide', output: given.output, digest: report.digest }
  }

  asksOf(session: string): readonly string[] {
    return this.#open.asksOf(session)
  }

  onAsks(listener: (session: string) => void): () => void {
    return this.#open.changed.add(listener)
  }

  /** Tells its hook to fetch it; an answer that is not fetched leaves the request open. */
  #give(stored: StoredRequest, output: Fields): void {
    this.#answers.put(stored, output, () => {
      this.#parts.complain('a hook did not fetch its answer', { request: stored.id })
      if (this.#parts.overBy(stored) === undefined) this.#put(stored)
      else this.#release(stored)
      this.#open.emit(stored.asked.session)
    })
    this.#open.hooks.send(stored.spooled.name, 'answer')
  }

  #put(stored: StoredRequest): void {
    const { cut, dropped } = this.#held.put(stored)
    const isCut = cut.some(({ id }) => id === stored.id)
    for (const one of isCut ? cut : [stored, ...cut]) this.#kept.keep(one)
    for (const other of dropped) this.#end(other, 'too many were open; see its terminal')
  }

  #end(stored: StoredRequest, how: string): void {
    this.#closedRequests.add(stored.id, how)
    // SPEC AN17. An answer that its hook has not fetched must not be lost with the daemon.
    if (!this.#answers.has(stored)) this.#release(stored)
    this.#open.remove(stored)
  }

  #release({ id, spooled }: StoredRequest): void {
    this.#open.hooks.send(spooled.name, 'end')
    this.#kept.forget(id)
  }

  #missing(id: string): Problem {
    const over = this.#closedRequests.wordsOf(id)
    if (over !== undefined) return new Problem(409, `the request is over: ${over}`)
    return new Problem(404, 'id: no such request; GET /v1/requests lists them', 'id')
  }
}

const NOT_SHOWN = 'the request has changed since it was shown to you; look at it again'
