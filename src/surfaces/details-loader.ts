import type { Act } from '../protocol/act.ts'
import { keyBeside } from '../protocol/address.ts'
import type { LoopStep, LoopView } from '../protocol/loop.ts'
import type { OpenRequest } from '../protocol/request.ts'
import type { Explanation, Session, Talk } from '../protocol/session.ts'
import type { SessionDetails } from '../view/board/board.ts'
import { isStale } from '../view/freshness.ts'

/** The part of the client that loads details. */
export interface DetailsApi {
  explain(id: string): Promise<Explanation | undefined>
  talk(id: string): Promise<Talk | undefined>
  requests(session: string): Promise<{ readonly requests: readonly OpenRequest[] }>
  loop(session: string): Promise<LoopView | undefined>
  loopHistory(session: string): Promise<{ readonly steps: readonly LoopStep[] }>
  acts(query: { session: string; limit: number }): Promise<{ readonly acts: readonly Act[] }>
}

/** While the user moves through the list, no row is loaded. */
const STAYS_MS = 70
/**
 * A working session has new messages without any other change; its row arrives up to ten times a
 * second.
 */
const AGAIN_MS = 1_000
const ACTS_MAX = 20

/**
 * SPEC BD8. Loads the details of the selected session: when it is selected, and when its row
 * changes.
 */
export class DetailsLoader {
  readonly #api: DetailsApi
  readonly #onDetails: (details: SessionDetails) => void
  #row: Session | undefined
  #shown: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = 0
  #loadedAt = Number.NEGATIVE_INFINITY
  #loading = false
  #stopped = false

  constructor(api: DetailsApi, onDetails: (details: SessionDetails) => void) {
    this.#api = api
    this.#onDetails = onDetails
  }

  /** The selected session as it is now; the same row again means no change. */
  select(row: Session | undefined): void {
    const before = this.#row
    if (row === before || this.#stopped) return
    this.#row = row
    if (!row) clearTimeout(this.#timer)
    else if (row.id !== before?.id) this.#loadAfter(before ? STAYS_MS : 0, true)
    else if (keyOf(row) !== keyOf(before)) this.#loadAfter(0)
    else this.#loadAfter(Math.max(0, this.#loadedAt + AGAIN_MS - performance.now()))
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Keeps an earlier deadline, unless it was for another session. */
  #loadAfter(ms: number, isOther = false): void {
    const dueAt = performance.now() + ms
    if (this.#timer && !isOther && this.#dueAt <= dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => void this.#load(), ms)
  }

  /** One load at a time; a request during a load starts another one after it. */
  async #load(): Promise<void> {
    this.#timer = undefined
    const row = this.#row
    if (!row) return
    if (this.#loading) return this.#loadAfter(STAYS_MS)
    if (isStale(row)) return this.#stays(row)
    this.#loading = true
    this.#loadedAt = performance.now()
    const details = await detailsOf(this.#api, row)
    this.#loading = false
    if (this.#row?.id !== row.id) return
    // SPEC FL200. Its machine was lost meanwhile: what is shown says more.
    if (isStale(this.#row)) this.#stays(row)
    else this.#show(details)
  }

  /** SPEC FL200. Its machine cannot be asked: what was loaded before stays. */
  #stays(row: Session): void {
    if (this.#shown !== row.id) this.#show(noDetails(row))
  }

  #show(details: SessionDetails): void {
    if (this.#stopped) return
    this.#shown = details.id
    this.#onDetails(details)
  }
}

/** Changes that cannot wait: the rest of a row changes with every step of an agent. */
function keyOf(row: Session): string {
  const { state, since, rule, request, unread, loop, asks } = row
  return JSON.stringify([state, since, rule, request?.at, unread, loop, asks, isStale(row)])
}

function noDetails(row: Session): SessionDetails {
  const none = { explanation: null, talk: null, requests: [], loop: null, steps: [], acts: [] }
  return { id: row.id, row, ...none }
}

async function detailsOf(api: DetailsApi, row: Session): Promise<SessionDetails> {
  const { id, loop, request, asks } = row
  const [explanation, talk, requests, one, steps, acts] = await Promise.all([
    known(api.explain(id)),
    known(api.talk(id)),
    request || asks.length > 0 ? known(api.requests(id)) : null,
    loop && known(api.loop(id)),
    loop && known(api.loopHistory(id)),
    known(api.acts({ session: id, limit: ACTS_MAX })),
  ])
  return {
    id,
    row,
    explanation,
    talk,
    // SPEC FL80. Another machine names its session by the id alone.
    requests: requests?.requests.map((one) => ({ ...one, session: id })) ?? [],
    loop: one && { ...one, id: keyBeside({ id: one.id, session: id }), session: id },
    steps: steps?.steps ?? [],
    acts: acts?.acts ?? [],
  }
}

/** Another part shows that the daemon is lost; a session that is gone has no details. */
async function known<T>(answer: Promise<T | undefined>): Promise<T | null> {
  try {
    return (await answer) ?? null
  } catch {
    return null
  }
}
