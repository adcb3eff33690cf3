import { randomBytes } from 'node:crypto'
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { BucketEntry, BucketWatcher } from '../transport.ts'
import { isDeletion } from './bucket.ts'
import { type CallSignal, deliveryOf, signalOf } from './delivery.ts'
import { CONSUMER_THERE, JetStreamFault } from './faults.ts'
import { createConsumer, deleteConsumer, streamInfo } from './jetstream.ts'
import { type FleetNames, inboxOf, watchNames } from './subjects.ts'

/** The server speaks at least this often. */
const IDLE_MS = 2_000
/** Two of its signs were missed, with room for a busy machine: begin again. */
const SILENCE_MAX_MS = 3 * IDLE_MS
/** The server drops a consumer to which nothing has listened this long. */
const FORGOTTEN_MS = 10_000

export interface WatchContext {
  readonly names: FleetNames
  readonly machine: string
  readonly watcher: BucketWatcher
  /** Runs a listener; what it throws is reported, and goes no further. */
  readonly guard: (run: () => void) => void
}

/**
 * SPEC FL65–FL67. A watch of the whole bucket, over connections. Within one run of a server it goes
 * on where it stopped. After a restart it begins with every key: the server may have lost the last
 * ones on its disk and have given their numbers to others.
 */
export class BucketWatch {
  readonly #context: WatchContext
  readonly #known = new Set<string>()
  #epoch: string | undefined
  #sequence = 0
  #isWhole = false
  #current: Current | undefined

  constructor(context: WatchContext) {
    this.#context = context
  }

  /** Throws if the server does not let it begin; `onLost` when it must begin again. */
  async begin(nats: NatsConnection, onLost: () => void): Promise<void> {
    this.end()
    const { names, machine } = this.#context
    const { created, state } = await streamInfo(nats, names.stream)
    const epoch = `${nats.info?.server_id} ${created}`
    const isSame = epoch === this.#epoch && this.#isWhole
    this.#epoch = epoch
    const whenRead = this.#context.watcher.whenRead ?? ((run: () => void) => run())
    const current = new Current(nats, names.stream, state.last_seq, { onLost, whenRead })
    this.#current = current
    if (!isSame) {
      this.#isWhole = false
      this.#sequence = 0
    }
    const seen = isSame ? undefined : new Set<string>()
    const deliverTo = `${inboxOf(machine)}.watch.${randomBytes(16).toString('hex')}`
    current.listen(deliverTo, (message) => this.#onMessage(current, message, seen))
    this.#context.guard(() => this.#context.watcher.onBegin?.(!isSame))
    const from = isSame ? this.#sequence + 1 : undefined
    const config = { stream: names.stream, filter: `${names.keys}>`, deliverTo, from }
    const waiting = await current.create(config, watchNames(machine))
    if (waiting === 0) this.#ready(current, seen)
  }

  end(): void {
    this.#current?.close()
    this.#current = undefined
  }

  #onMessage(current: Current, message: Msg, seen: Set<string> | undefined): void {
    const delivery = deliveryOf(message.reply)
    if (delivery === undefined) return
    if (delivery.count !== current.count + 1) {
      current.lose()
      return
    }
    current.count = delivery.count
    this.#sequence = delivery.sequence
    const key = message.subject.slice(this.#context.names.keys.length)
    const value = isDeletion(message.headers) ? undefined : message.data
    if (value === undefined) this.#known.delete(key)
    else this.#known.add(key)
    seen?.add(key)
    const isOld = delivery.sequence <= current.lastOld
    this.#tell({ key, value, storedAt: delivery.storedAt, isOld })
    if (delivery.sequence >= current.lastOld) this.#ready(current, seen)
  }

  #ready(current: Current, seen: Set<string> | undefined): void {
    if (current.isReady) return
    current.isReady = true
    this.#isWhole = true
    // The bucket was made anew while this machine was away, or its server lost what was last.
    const lost = seen === undefined ? [] : [...this.#known].filter((key) => !seen.has(key))
    for (const key of lost) {
      this.#known.delete(key)
      this.#tell({ key, value: undefined, storedAt: Date.now(), isOld: true })
    }
    this.#context.guard(() => this.#context.watcher.onReady())
  }

  #tell(entry: BucketEntry): void {
    this.#context.guard(() => this.#context.watcher.onEntry(entry))
  }
}

interface CurrentEvents {
  readonly onLost: () => void
  readonly whenRead: (run: () => void) => void
}

/** One consumer on one connection. */
class Current {
  count = 0
  isReady = false
  /** The bucket's last message when the watch began. */
  readonly lastOld: number
  readonly #nats: NatsConnection
  readonly #stream: string
  readonly #events: CurrentEvents
  #subscription: Subscription | undefined
  #name: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(nats: NatsConnection, stream: string, lastOld: number, events: CurrentEvents) {
    this.#nats = nats
    this.#stream = stream
    this.lastOld = lastOld
    this.#events = events
  }

  listen(subject: string, onMessage: (message: Msg) => void): void {
    this.#subscription = this.#nats.subscribe(subject, {
      callback: (error, message) => {
        if (this.#isOver) return
        this.#timer?.refresh()
        // What is thrown here would end the connection's reader.
        try {
          if (error !== null) throw error
          const signal = signalOf(message)
          if (signal === undefined) onMessage(message)
          else this.#onSignal(signal)
        } catch {
          this.lose()
        }
      },
    })
    this.#timer = setTimeout(() => this.lose(), SILENCE_MAX_MS)
  }

  /** Takes a name that is free; those of a process that was killed stay for some seconds. */
  async create(
    config: Pick<Parameters<typeof createConsumer>[1], 'stream' | 'filter' | 'deliverTo' | 'from'>,
    names: readonly string[],
  ): Promise<number> {
    const whole = { ...config, idleMs: IDLE_MS, forgottenMs: FORGOTTEN_MS }
    for (const name of names) {
      try {
        const waiting = await createConsumer(this.#nats, { ...whole, name })
        this.#name = name
        return waiting
      } catch (error) {
        const isTaken = error instanceof JetStreamFault && CONSUMER_THERE.includes(error.exact)
        if (!isTaken) throw error
      }
    }
    const [name = ''] = names
    await deleteConsumer(this.#nats, this.#stream, name)
    this.#name = name
    return createConsumer(this.#nats, { ...whole, name })
  }

  lose(): void {
    if (this.#isOver) return
    this.close()
    this.#events.onLost()
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    if (this.#nats.isClosed()) return
    this.#subscription?.unsubscribe()
    if (this.#name !== undefined)
      deleteConsumer(this.#nats, this.#stream, this.#name).catch(() => {})
  }

  /** SPEC FL202. Until then the server holds back what follows. */
  #resume(subject: string): void {
    if (!this.#isOver && !this.#nats.isClosed()) this.#nats.publish(subject)
  }

  #onSignal({ sent, resumeAt }: CallSignal): void {
    if (resumeAt !== undefined) this.#events.whenRead(() => this.#resume(resumeAt))
    if (sent !== undefined && sent !== this.count) this.lose()
  }
}
