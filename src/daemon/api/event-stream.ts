interface ReaderLimits {
  /** Lets a reader distinguish a quiet daemon from a dead one. */
  readonly heartbeatMs: number
  /** A reader that took nothing for this long, while events waited, has stopped reading. */
  readonly stallMs: number
}

export interface EventOptions extends ReaderLimits {
  readonly subscribersMax: number
}

const DEFAULTS: EventOptions = { subscribersMax: 64, heartbeatMs: 15_000, stallMs: 30_000 }

/** Text for one reader, pulled when the reader has room. */
export interface PulledText {
  /** Undefined once it has ended. */
  next(): Promise<string | undefined>
  end(): void
}

/** Where one reader's events come from. Nothing is queued: the stream pulls when there is room. */
export interface EventSource {
  /** The next events as text; empty if there are none at present. */
  next(): string
  hasNext(): boolean
  /** Whether the last event sent was the end. */
  isOver?(): boolean
  /** Returns how to unsubscribe. */
  onNews(listener: () => void): () => void
}

/** One event on the wire. JSON has no raw line break, so no text in it can begin another event. */
export function eventText(data: { readonly kind: string }, id?: string | number): string {
  const position = id === undefined ? '' : `id: ${id}\n`
  return `${position}event: ${data.kind}\ndata: ${JSON.stringify(data)}\n\n`
}

/** SPEC P6. All readers of events, over all sockets. */
export class Subscribers {
  readonly #options: EventOptions
  readonly #open = new Set<EventSubscription>()
  #dropped = 0
  #closed = false

  constructor(options: Partial<EventOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options }
  }

  get count(): number {
    return this.#open.size
  }

  get dropped(): number {
    return this.#dropped
  }

  /**
   * Undefined when there are too many readers. `hangUp` must end the connection of a reader that
   * has stopped reading.
   */
  open(source: EventSource, hangUp?: () => void) {
    if (this.#closed || this.#open.size >= this.#options.subscribersMax) return undefined
    const subscription = new EventSubscription(source, this.#options, (dropped) => {
      this.#open.delete(subscription)
      if (!dropped) return
      this.#dropped += 1
      hangUp?.()
    })
    this.#open.add(subscription)
    return subscription
  }

  close(): void {
    this.#closed = true
    for (const subscription of this.#open) subscription.end()
  }
}

/**
 * Events are pulled from the source when the reader has room for them, so a slow reader costs no
 * more than a fast one.
 */
export class EventSubscription implements PulledText {
  readonly #source: EventSource
  readonly #options: ReaderLimits
  readonly #onEnd: (dropped: boolean) => void
  readonly #unsubscribe: () => void
  #ended = false
  #wake: (() => void) | undefined
  #stall: NodeJS.Timeout | undefined

  constructor(source: EventSource, options: ReaderLimits, onEnd: (dropped: boolean) => void) {
    this.#source = source
    this.#options = options
    this.#onEnd = onEnd
    this.#unsubscribe = source.onNews(() => this.#wake?.())
    this.#watch()
  }

  end(): void {
    this.#finish(false)
  }

  async next(): Promise<string | undefined> {
    if (this.#ended) return undefined
    clearTimeout(this.#stall)
    try {
      let text = this.#next()
      if (text === '') {
        await this.#untilNews()
        text = this.#next() || ':\n\n'
      }
      if (this.#ended) return undefined
      if (this.#source.isOver?.()) this.end()
      else this.#watch()
      return text
    } catch {
      // A log that cannot be read ends the stream; the reader reconnects and resumes.
      this.end()
      return undefined
    }
  }

  #next(): string {
    return this.#ended ? '' : this.#source.next()
  }

  /** Until there is something to send, at the latest until the next heartbeat. */
  #untilNews(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(heartbeat)
        this.#wake = undefined
        resolve()
      }
      const heartbeat = setTimeout(done, this.#options.heartbeatMs).unref()
      this.#wake = done
    })
  }

  #watch(): void {
    clearTimeout(this.#stall)
    this.#stall = setTimeout(() => {
      if (this.#source.hasNext()) this.#finish(true)
      else this.#watch()
    }, this.#options.stallMs)
    this.#stall.unref()
  }

  #finish(dropped: boolean): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#stall)
    this.#unsubscribe()
    this.#wake?.()
    this.#onEnd(dropped)
  }
}
