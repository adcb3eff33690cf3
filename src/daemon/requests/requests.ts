import { agentOf } from '../../agents/index.ts'
import type { OpenRequest, RequestAnswer, RequestOutcome } from '../../protocol/request.ts'
import type { Arrival, Complain, Spooled } from '../../sources/arrival.ts'
import type { ActTable } from '../../store/acts.ts'
import { Awaited, bindingOf } from '../awaited.ts'
import { Problem } from '../problem.ts'
import type { AnswerableRequests } from './answerable.ts'
import { choiceWords } from './choice-words.ts'
import type { HeldRequests } from './held.ts'
import { Past, PLACE_WORDS } from './past.ts'
import type { ActRecorder, Requests } from './shapes.ts'
import {
  CROWDED,
  decidedOn,
  keptFrom,
  openRequest,
  requestRowOf,
  revived,
  type StoredRequest,
} from './stored-request.ts'

export interface RequestParts {
  readonly open: AnswerableRequests
  readonly acts: Pick<ActRecorder, 'note'>
  readonly table: RequestTable
  readonly now: () => number
  /** Why it is over, in words; nothing while it stands. */
  readonly overBy: (kept: StoredRequest) => string | undefined
  /** Everything that has come in is learnt: nothing is answered that is known to be over. */
  readonly settle: () => void
  readonly complain: Complain
}

/** Where open requests are kept: the store, or a list in tests. */
type RequestTable = Pick<ActTable, 'keepRequest' | 'forgetRequests' | 'requests'>

/** A hook's report comes within milliseconds of its question; after a start there may be many. */
const REPORT_WITHIN_MS = 5_000
/** Each holds a connection of the daemon's 256. */
const WAITING_MAX = 128

/** SPEC AN7–AN20. What agents ask, who waits for the answer, and that there is one only. */
export class LocalRequests implements Requests {
  readonly #parts: RequestParts
  readonly #open: AnswerableRequests
  readonly #held: HeldRequests
  readonly #awaited = new Awaited<StoredRequest>()
  readonly #past: Past
  #ends = false

  constructor(parts: RequestParts) {
    this.#parts = parts
    this.#open = parts.open
    this.#held = parts.open.held
    this.#past = new Past(parts.now)
  }

  /** SPEC AN17. What was open when the daemon ended; its hooks ask again. */
  start(): void {
    const rows = this.#parts.table.requests()
    for (const row of rows) {
      const kept = revived(row)
      if (kept && this.#parts.overBy(kept) === undefined) this.#held.put(kept)
      else this.#forget(row.id)
    }
    if (this.#held.all().some(({ waits }) => waits)) this.#open.able.linger()
  }

  /** Every report, whole, once it was learnt. */
  see(arrival: Arrival): void {
    const kept = keptFrom(arrival)
    if (!kept || this.#held.get(kept.id) || this.#parts.overBy(kept) !== undefined) return
    this.#put(kept)
    this.#awaited.tell(bindingOf(kept.spooled), kept)
  }

  /** SPEC AN15. Sessions of which something was heard: what they asked may be over. */
  attend(sessions: ReadonlySet<string>): void {
    for (const kept of [...sessions].flatMap((session) => this.#held.ofSession(session))) {
      const how = this.#parts.overBy(kept)
      if (how !== undefined) this.#end(kept, how)
    }
  }

  list({ session }: { readonly session?: string | undefined } = {}): readonly OpenRequest[] {
    this.#parts.settle()
    const held = session === undefined ? this.#held.all() : this.#held.ofSession(session)
    return held
      .toSorted((a, b) => a.at - b.at)
      .map((kept) => openRequest(kept, this.#open.whyNot(kept)))
  }

  find(id: string): OpenRequest | undefined {
    this.#parts.settle()
    const kept = this.#held.get(id)
    return kept && openRequest(kept, this.#open.whyNot(kept))
  }

  answer(id: string, answer: RequestAnswer, who: string): void {
    this.#parts.settle()
    const kept = this.#held.get(id)
    if (!kept) throw this.#missing(id)
    const why = this.#open.whyNot(kept)
    if (why !== null) throw new Problem(409, `it cannot be answered from here: ${why}`)
    if (kept.crowded && answer.choice !== 'deny') throw new Problem(409, CROWDED)
    const answers = agentOf(kept.agent)?.answers
    if (!answers) throw new Problem(409, 'its agent takes no answers from here')
    const made = answers.outputOf(kept.asked, answer)
    if ('misfit' in made) throw new Problem(400, `${made.field}: ${made.misfit}`, made.field)
    const { output } = made
    const { session } = kept.asked
    const { where, shown } = answer
    // SPEC SH5. A no harms nothing; whatever lets the agent go on is about what was seen.
    if (answer.choice !== 'deny' && shown !== kept.spooled.digest) throw new Problem(409, NOT_SHOWN)
    // SPEC AN20. In the log before the agent is told: what cannot be noted is not done.
    const words = choiceWords(kept.asked, answer, answers.suggestionsOf(kept.asked))
    const seen = decidedOn(kept, output)
    this.#parts.acts.note({ session, what: 'answer', who, where, words, shown: seen })
    this.#open.release(id, { act: 'decide', output, digest: kept.spooled.digest })
    this.#end(kept, `answered ${PLACE_WORDS[where]}`)
  }

  /** SPEC BR2. By the payload as well as by the name. */
  async wait(report: Spooled, gone: AbortSignal): Promise<RequestOutcome> {
    const binding = bindingOf(report)
    const there = this.#held.boundTo(binding)
    const kept = there ?? (await this.#awaited.until(binding, REPORT_WITHIN_MS, gone))
    if (this.#ends) return { act: 'again' }
    if (!kept || gone.aborted || !this.#open.able.could) return { act: 'nothing' }
    if (!this.#held.get(kept.id) || this.#open.waiting >= WAITING_MAX) return { act: 'nothing' }
    // SPEC AN11. Its dialog is not on the screen before this hook has ended.
    if (kept.asked.actor !== null) return { act: 'nothing' }
    return this.#open.hold(kept, gone)
  }

  asksOf(session: string): readonly string[] {
    return this.#open.asksOf(session)
  }

  onAsks(listener: (session: string) => void): () => void {
    return this.#open.changed.add(listener)
  }

  enter(): () => void {
    return this.#open.able.enter()
  }

  /** SPEC AN17. The daemon ends: hooks try again for a while, for the next may be there soon. */
  hangUp(): void {
    this.#ends = true
    this.#open.releaseAll({ act: 'again' })
  }

  #put(kept: StoredRequest): void {
    const { cut, dropped } = this.#held.put(kept)
    const isCut = cut.some(({ id }) => id === kept.id)
    for (const row of (isCut ? cut : [kept, ...cut]).map(requestRowOf))
      this.#save(() => this.#parts.table.keepRequest(row))
    for (const other of dropped) this.#end(other, 'left to its terminal: too many were open')
  }

  #end(kept: StoredRequest, how: string): void {
    this.#past.add(kept.id, how)
    this.#forget(kept.id)
    this.#open.remove(kept)
  }

  #forget(id: string): void {
    this.#save(() => this.#parts.table.forgetRequests([id]))
  }

  /** What is not kept does not outlive the daemon, and that is all. */
  #save(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#parts.complain('a request was not kept', { why: (error as Error).message })
    }
  }

  #missing(id: string): Problem {
    const over = this.#past.wordsOf(id)
    if (over !== undefined) return new Problem(409, `it is over: ${over}`)
    return new Problem(404, 'id: no such request; GET /v1/requests lists them', 'id')
  }
}

const NOT_SHOWN = 'what was shown is not what is asked; look at the request again'
