/** How long a late caller learns what happened to a request. */
const REMEMBERED_MS = 3_600_000
const REMEMBERED_MAX = 500

/** Closed requests, for callers that come too late. */
export class ClosedRequests {
  readonly #now: () => number
  readonly #over = new Map<string, { readonly how: string; readonly at: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  add(id: string, how: string): void {
    this.#over.set(id, { how, at: this.#now() })
    const [oldest] = this.#over.size > REMEMBERED_MAX ? this.#over.keys() : []
    if (oldest !== undefined) this.#over.delete(oldest)
  }

  has(id: string): boolean {
    return this.#over.has(id)
  }

  /** `answered in its terminal 3 s ago`. */
  wordsOf(id: string): string | undefined {
    const over = this.#over.get(id)
    if (!over || this.#now() - over.at > REMEMBERED_MS) return undefined
    const seconds = Math.max(0, Math.round((this.#now() - over.at) / 1000))
    return `${over.how} ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} ago`
  }
}

export const PLACE_WORDS = {
  page: 'on the page',
  live: 'in the terminal view',
  cli: 'by a command',
  notification: 'by a notification',
} as const
