import type { OpenRequest } from '../../protocol/request.ts'
import type { Explanation, Session, Talk } from '../../protocol/session.ts'
import type { Details } from './state.ts'

/** Who runs down the list is not at any row yet. */
const STAYS_MS = 70

export interface AskingParts {
  readonly explain: (id: string) => Promise<Explanation | undefined>
  readonly talk: (session: Session) => Promise<Talk | null>
  readonly requests: (id: string) => Promise<readonly OpenRequest[]>
  readonly tell: (details: Details) => void
}

/** Asks for what there is to know of the session that is looked at, and again when it changed. */
export class Asking {
  readonly #parts: AskingParts
  #about: string | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(parts: AskingParts) {
    this.#parts = parts
  }

  /** `again`: it may have said more, though nothing else of it has changed. */
  about(session: Session | undefined, again: boolean): void {
    const key = session && keyOf(session)
    const goesOn = again && session?.state === 'working' && !this.#timer
    if (this.#stopped || (key === this.#about && !goesOn)) return
    this.#about = key
    clearTimeout(this.#timer)
    this.#timer = session && setTimeout(() => void this.#ask(session), STAYS_MS)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #ask(session: Session): Promise<void> {
    this.#timer = undefined
    const { id } = session
    const [explanation, talk, requests] = await Promise.all([
      // A daemon that is gone is told of elsewhere; what it said stays as long as it can.
      this.#parts.explain(id).catch(() => undefined),
      this.#parts.talk(session),
      session.request || session.asks.length > 0 ? this.#parts.requests(id).catch(() => []) : [],
    ])
    if (this.#stopped) return
    // Of several the one that can be answered, else the newest.
    const request = requests.find(({ answerable }) => answerable) ?? requests.at(-1) ?? null
    this.#parts.tell({ id, explanation: explanation ?? null, talk, request })
  }
}

function keyOf({ id, state, since, rule, request, asks }: Session): string {
  return [id, state, since, rule, request?.at, ...asks].join()
}
