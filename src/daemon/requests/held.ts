import { bindingOf } from '../waiting-callers.ts'
import { type StoredRequest, withoutInput } from './stored-request.ts'

/** Far more dialogs than users have open; beyond it a dialog is left to its terminal. */
const COUNT_MAX = 1_000
/** All open requests together, in memory and in a listing: thirty of the longest in full. */
const HELD_MAX_BYTES = 16 * 1024 * 1024

/** What was dropped to stay within the limits. */
export interface Evicted {
  /** Stored without their input. */
  readonly cut: readonly StoredRequest[]
  readonly dropped: readonly StoredRequest[]
}

/** SPEC BR4. The open requests, within limits; the session that uses most gives way first. */
export class HeldRequests {
  readonly #byId = new Map<string, StoredRequest>()
  readonly #byBinding = new Map<string, StoredRequest>()
  /** By session, and by id in each: oldest first. */
  readonly #bySession = new Map<string, Map<string, StoredRequest>>()
  #bytes = 0

  all(): readonly StoredRequest[] {
    return [...this.#byId.values()]
  }

  ofSession(session: string): readonly StoredRequest[] {
    return [...(this.#bySession.get(session)?.values() ?? [])]
  }

  get(id: string): StoredRequest | undefined {
    return this.#byId.get(id)
  }

  /** The request of the hook with this report. */
  boundTo(binding: string): StoredRequest | undefined {
    return this.#byBinding.get(binding)
  }

  put(stored: StoredRequest): Evicted {
    this.#set(stored)
    return { cut: this.#cutDown(), dropped: this.#tooMany() }
  }

  remove({ id, asked, spooled }: StoredRequest): void {
    this.#bytes -= this.#byId.get(id)?.bytes ?? 0
    this.#byId.delete(id)
    const ofSession = this.#bySession.get(asked.session)
    ofSession?.delete(id)
    if (ofSession?.size === 0) this.#bySession.delete(asked.session)
    const binding = bindingOf(spooled)
    if (this.#byBinding.get(binding)?.id === id) this.#byBinding.delete(binding)
  }

  #set(stored: StoredRequest): void {
    const { session } = stored.asked
    this.#bytes += stored.bytes - (this.#byId.get(stored.id)?.bytes ?? 0)
    this.#byId.set(stored.id, stored)
    this.#byBinding.set(bindingOf(stored.spooled), stored)
    const ofSession = this.#bySession.get(session) ?? new Map<string, StoredRequest>()
    this.#bySession.set(session, ofSession.set(stored.id, stored))
  }

  #cutDown(): readonly StoredRequest[] {
    const cut: StoredRequest[] = []
    while (this.#bytes > HELD_MAX_BYTES) {
      const oldest = this.#oldestOfGreediest(({ crowded, bytes }) => (crowded ? 0 : bytes))
      if (!oldest) break
      const short = withoutInput(oldest)
      this.#set(short)
      cut.push(short)
    }
    return cut
  }

  #tooMany(): readonly StoredRequest[] {
    const one = this.#byId.size > COUNT_MAX ? this.#oldestOfGreediest(() => 1) : undefined
    return one ? [one] : []
  }

  /** The oldest request with any weight, of the session with the most weight. */
  #oldestOfGreediest(weigh: (stored: StoredRequest) => number): StoredRequest | undefined {
    let most = 0
    let oldest: StoredRequest | undefined
    for (const requests of this.#bySession.values()) {
      let sum = 0
      for (const stored of requests.values()) sum += weigh(stored)
      if (sum <= most) continue
      most = sum
      oldest = [...requests.values()].find((stored) => weigh(stored) > 0)
    }
    return oldest
  }
}
