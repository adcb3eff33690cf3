import type { Asks, SessionChange } from '../../protocol/session.ts'
import type { LoggedChange } from '../../store/store.ts'
import type { Feed } from '../fleet.ts'
import type { Requests } from '../requests/shapes.ts'

export interface EventOptions {
  readonly subscribersMax: number
  /** So that a reader can tell a quiet daemon from a dead one. */
  readonly heartbeatMs: number
  /** Who has taken nothing for this long, while changes waited, has stopped reading. */
  readonly stallMs: number
  /** As many changes as are taken from the log at a time: all that waits in memory for one. */
  readonly batch: number
}

const DEFAULTS: EventOptions = {
  subscribersMax: 64,
  heartbeatMs: 15_000,
  stallMs: 30_000,
  batch: 32,
}

/** What events are made of: the changes, and what agents ask. */
export interface EventSources {
  readonly machine: string
  readonly feed: Feed
  readonly requests: Pick<Requests, 'asks' | 'onAsks'>
}

/** SPEC P4. Everybody who is told of changes, over all doors. */
export class Subscribers {
  readonly #sources: EventSources
  readonly #options: EventOptions
  readonly #open = new Set<Subscription>()
  #dropped = 0
  #closed = false

  constructor(sources: EventSources, options: Partial<EventOptions> = {}) {
    this.#sources = sources
    this.#options = { ...DEFAULTS, ...options }
  }

  get count(): number {
    return this.#open.size
  }

  get dropped(): number {
    return this.#dropped
  }

  /**
   * The changes after the one given, else those to come; nothing when there are too many readers.
   * `hangUp` must end the connection of a reader that takes nothing any more; `onEnd` is called
   * when it has left, however that came.
   */
  open(
    after: number | undefined,
    hangUp?: () => void,
    onEnd?: () => void,
  ): Subscription | undefined {
    if (this.#closed || this.#open.size >= this.#options.subscribersMax) return undefined
    const subscription = new Subscription(this.#sources, after, this.#options, (dropped) => {
      this.#open.delete(subscription)
      onEnd?.()
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
 * A place in the log that its reader moves forward. Nothing is queued for it: changes are taken
 * when the reader has room for them, so a slow one costs no more than a fast one.
 */
class Subscription {
  readonly stream: ReadableStream<Uint8Array>
  readonly #machine: string
  readonly #feed: Feed
  readonly #options: EventOptions
  readonly #onEnd: (dropped: boolean) => void
  readonly #forget: readonly (() => void)[]
  /** What was not told yet, the newest of each session. */
  readonly #asks = new Map<string, Asks>()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #at: number
  #greeted = false
  #ended = false
  #wake: (() => void) | undefined
  #stall: NodeJS.Timeout | undefined

  constructor(
    { machine, feed, requests }: EventSources,
    after: number | undefined,
    options: EventOptions,
    onEnd: (dropped: boolean) => void,
  ) {
    this.#machine = machine
    this.#feed = feed
    this.#options = options
    this.#onEnd = onEnd
    this.#at = after ?? feed.lastId()
    // SPEC AN16. What it asks may have changed since its reader last heard of it.
    for (const asks of requests.asks()) this.#asks.set(asks.session, asks)
    const onAsks = (asks: Asks) => {
      this.#asks.set(asks.session, asks)
      this.#wake?.()
    }
    this.#forget = [feed.onChange(() => this.#wake?.()), requests.onAsks(onAsks)]
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#pull(),
        cancel: () => this.end(),
      },
      { highWaterMark: 0 },
    )
    this.#watch()
  }

  end(): void {
    this.#finish(false)
  }

  async #pull(): Promise<void> {
    clearTimeout(this.#stall)
    try {
      let text = this.#next()
      if (text === '') {
        await this.#waits()
        text = this.#next() || ':\n\n'
      }
      if (this.#ended) return
      this.#controller?.enqueue(Buffer.from(text))
      this.#watch()
    } catch {
      // A log that cannot be read ends the stream; its reader comes back and resumes.
      this.end()
    }
  }

  #next(): string {
    if (this.#ended) return ''
    const [first, last] = [this.#feed.firstId(), this.#feed.lastId()]
    if (this.#at > last || this.#at < first - 1) {
      this.#at = last
      this.#greeted = true
      return eventOf({ kind: 'reset', id: last })
    }
    // An id without data is no event, but whoever loses the connection knows where to resume.
    const greeting = this.#greeted ? '' : `id: ${this.#at}\n\n`
    this.#greeted = true
    return greeting + this.#batch() + this.#news()
  }

  /**
   * Moves only over what the feed gives: ids up to its last may be taken and not written yet.
   * Stretches of nothing but the past are passed over, else a reader would wait behind them.
   */
  #batch(): string {
    for (;;) {
      const changes = this.#feed.after(this.#at, this.#options.batch)
      this.#at = changes.at(-1)?.id ?? this.#at
      const text = changes.map((change) => eventOf(wireOf(change, this.#machine))).join('')
      if (text !== '' || changes.length === 0) return text
    }
  }

  /** Without an id: where to resume is told by changes alone. */
  #news(): string {
    const news = [...this.#asks.values()]
    this.#asks.clear()
    return news
      .map((asks) => ({ kind: 'requests', machine: this.#machine, ...asks }))
      .map((event) => `event: requests\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
  }

  /** Until there is something to tell, at the latest until it is time for a sign of life. */
  #waits(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(heartbeat)
        this.#wake = undefined
        resolve()
      }
      const heartbeat = setTimeout(done, this.#options.heartbeatMs)
      this.#wake = done
    })
  }

  #watch(): void {
    clearTimeout(this.#stall)
    this.#stall = setTimeout(() => {
      if (this.#asks.size > 0 || this.#feed.after(this.#at, 1).length > 0) this.#finish(true)
      else this.#watch()
    }, this.#options.stallMs)
    this.#stall.unref()
  }

  #finish(dropped: boolean): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#stall)
    for (const forget of this.#forget) forget()
    this.#wake?.()
    try {
      this.#controller?.close()
    } catch {
      // Its reader cancelled it.
    }
    this.#onEnd(dropped)
  }
}

/** JSON holds no raw line break, so no session's text can begin an event of its own. */
function eventOf(data: SessionChange | { kind: 'reset'; id: number } | undefined): string {
  return data ? `id: ${data.id}\nevent: ${data.kind}\ndata: ${JSON.stringify(data)}\n\n` : ''
}

/** What became part of the log after the fact is no news. */
function wireOf(change: LoggedChange, machine: string): SessionChange | undefined {
  const { id, t, session } = change
  const about = { id, t, machine, session }
  if (change.kind === 'past') return undefined
  return change.kind === 'gone'
    ? { kind: 'gone', ...about, became: change.became ?? null }
    : { kind: 'verdict', ...about, verdict: change.verdict }
}
