import { type Channel, ChannelError } from './channel.ts'
import { CUT_OFF_MS, QUEUE_MAX, RETRY_AFTER_MAX_MS, SENT_MAX, WAITS_MS } from './limits.ts'
import type { Message } from './message.ts'

export interface LaneOptions {
  readonly channel: Channel
  /** The problem of the channel; undefined when it works again. */
  readonly onTrouble: (what: string | undefined) => void
  readonly cutOffMs?: number
  readonly waitsMs?: readonly number[]
}

interface Waiting {
  readonly message: Message
  tries: number
}

/**
 * SPEC NO20–NO22. The messages of one channel, one after another: each has a timeout and is retried
 * with growing delays. The caller never waits, and a failing channel does not affect the others.
 */
export class ChannelQueue {
  readonly #channel: Channel
  readonly #onTrouble: (what: string | undefined) => void
  readonly #cutOffMs: number
  readonly #waitsMs: readonly number[]
  readonly #ending = new AbortController()
  readonly #sent = new Map<string, { readonly message: Message; readonly receipt?: string }>()
  #queue: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #isBusy = false
  /** Retracted while it was being sent. */
  #isUnwanted = false

  constructor({ channel, onTrouble, cutOffMs, waitsMs }: LaneOptions) {
    this.#channel = channel
    this.#onTrouble = onTrouble
    this.#cutOffMs = cutOffMs ?? CUT_OFF_MS
    this.#waitsMs = waitsMs ?? WAITS_MS
  }

  get waiting(): number {
    return this.#queue.length
  }

  send(message: Message): void {
    this.#queue.push({ message, tries: 0 })
    if (this.#queue.length > QUEUE_MAX) {
      // The first may be in transit.
      const [dropped] = this.#queue.splice(this.#isBusy ? 1 : 0, 1)
      if (dropped) this.#onTrouble(`the queue is full: "${dropped.message.title}" was not sent`)
    }
    if (this.#timer === undefined) void this.#next()
  }

  /** SPEC NO23. Drops a message that was not sent yet; retracts a sent one if the channel can. */
  withdraw(id: string): void {
    const [first] = this.#queue
    if (this.#isBusy && first?.message.id === id) {
      this.#isUnwanted = true
      return
    }
    this.#queue = this.#queue.filter(({ message }) => message.id !== id)
    const sent = this.#sent.get(id)
    this.#sent.delete(id)
    if (sent) void this.#takeBack(sent.message, sent.receipt)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#queue = []
    this.#ending.abort()
    this.#channel.close?.()
  }

  async #next(): Promise<void> {
    const [first] = this.#queue
    if (!first || this.#isBusy || this.#ending.signal.aborted) return
    this.#isBusy = true
    this.#isUnwanted = false
    const { message } = first
    const outcome = await this.#within((signal) => this.#channel.send(message, signal))
    this.#isBusy = false
    if (this.#ending.signal.aborted) return
    if ('error' in outcome) this.#failed(first, outcome.error)
    else this.#succeeded(message, outcome.value)
    if (this.#timer === undefined) void this.#next()
  }

  #succeeded(message: Message, receipt: string | undefined): void {
    this.#queue.shift()
    this.#onTrouble(undefined)
    if (this.#isUnwanted) void this.#takeBack(message, receipt)
    else this.#sent.set(message.id, { message, ...(receipt !== undefined && { receipt }) })
    for (const oldest of this.#sent.keys()) {
      if (this.#sent.size <= SENT_MAX) break
      this.#sent.delete(oldest)
    }
  }

  #failed(first: Waiting, error: ChannelError): void {
    const waitMs = this.#waitsMs[first.tries]
    first.tries += 1
    const isOver = !error.isPassing || waitMs === undefined || this.#isUnwanted
    const more = isOver ? '' : `; tried ${first.tries}×, vigil tries again`
    this.#onTrouble(`${error.message}${more}`)
    if (isOver) {
      this.#queue.shift()
      return
    }
    const askedMs = Math.min(error.afterMs ?? 0, RETRY_AFTER_MAX_MS)
    this.#timer = setTimeout(() => this.#again(), Math.max(waitMs, askedMs))
    this.#timer.unref()
  }

  #again(): void {
    this.#timer = undefined
    void this.#next()
  }

  /** Tries once and ignores failures: the message is out of date either way. */
  async #takeBack(message: Message, receipt: string | undefined): Promise<void> {
    const { withdraw } = this.#channel
    if (!withdraw) return
    await this.#within((signal) => withdraw.call(this.#channel, message, receipt, signal))
  }

  /** A channel that ignores the signal is abandoned: its result no longer counts. */
  async #within<T>(act: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const own = new AbortController()
    const stop = (error: ChannelError) => {
      own.abort()
      reject(error)
    }
    const onEnd = () => stop(new ChannelError('vigil is stopping', false))
    const seconds = Math.ceil(this.#cutOffMs / 1000)
    const timer = setTimeout(
      () => stop(new ChannelError(`gave no answer within ${seconds} s`, true)),
      this.#cutOffMs,
    )
    this.#ending.signal.addEventListener('abort', onEnd)
    try {
      return { value: await Promise.race([act(own.signal), late]) }
    } catch (error) {
      return { error: asChannelError(error) }
    } finally {
      clearTimeout(timer)
      this.#ending.signal.removeEventListener('abort', onEnd)
    }
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: ChannelError }

/** An unexpected error is a bug of vigil, and a retry does not help. */
function asChannelError(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error
  return new ChannelError(`failed: ${error instanceof Error ? error.message : error}`, false)
}
