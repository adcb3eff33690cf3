import { setTimeout as sleep } from 'node:timers/promises'
import { type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import {
  type BucketWatcher,
  type CallOptions,
  type FleetTransport,
  type Serve,
  TransportError,
  type TransportState,
} from '../transport.ts'
import { deleteKey, findBucket, putKey } from './bucket.ts'
import { callMachine, failCalls } from './call.ts'
import { connectOnce, inTurn, type NatsAddress } from './connection.ts'
import { connectFault, requestFault } from './faults.ts'
import { JoinServing, type ServeJoin } from './join.ts'
import { Retries } from './retries.ts'
import { BUCKET_BYTES_MAX } from './server-config.ts'
import { Serving } from './serving.ts'
import { type FleetNames, inboxOf, isToken, namesOf } from './subjects.ts'
import { BucketWatch } from './watch.ts'

export interface NatsOptions extends NatsAddress {
  readonly fleet: string
  readonly machine: string
  /** The founder creates the bucket when it is missing. */
  readonly create: boolean
  readonly bucketBytesMax?: number | undefined
  /** What listeners throw, and what cannot be reported to a caller. */
  readonly onFault?: ((error: unknown) => void) | undefined
}

/** A server that refuses a member after its login ends the connection sooner. */
const REFUSED_WITHIN_MS = 2_000

/** What lives as long as a connection. */
interface Attached {
  begin(nats: NatsConnection): Promise<void> | void
  end(): void
}

export class NatsTransport implements FleetTransport {
  readonly #options: NatsOptions
  readonly #names: FleetNames
  readonly #attached = new Set<Attached>()
  readonly #listeners = new Set<(state: TransportState) => void>()
  readonly #closing = new AbortController()
  readonly #retries: Retries
  #state: TransportState = { connected: false, why: 'Not connected yet.' }
  #nats: NatsConnection | undefined
  /** The server that was connected last. */
  #answered: string | undefined

  constructor(options: NatsOptions) {
    if (!isToken(options.machine)) throw new Error(`not the id of a machine: ${options.machine}`)
    this.#options = options
    this.#names = namesOf(options.fleet)
    const { urls } = options
    const onUnreachable = (error: Error) => this.#failed(connectFault(error, urls))
    const attempt = () => this.attempt()
    const { signal } = this.#closing
    this.#retries = new Retries({ urls, attempt, onUnreachable, signal })
  }

  get state(): TransportState {
    return this.#state
  }

  onState(listener: (state: TransportState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** One attempt, for `openNatsTransport`; whether it succeeds or not, others follow. */
  async attempt(): Promise<void> {
    let nats: NatsConnection | undefined
    try {
      const urls = inTurn(this.#options.urls, this.#answered)
      nats = await connectOnce({ ...this.#options, urls }, inboxOf(this.#options.machine))
      this.#answered = nats.getServer()
      const bytesMax = this.#options.bucketBytesMax ?? BUCKET_BYTES_MAX
      await findBucket(nats, this.#names, this.#options.create ? { bytesMax } : undefined)
    } catch (error) {
      await nats?.close()
      this.#failed(error as Error)
      const isRefused = error instanceof TransportError && error.fault === 'refused'
      this.#retries.again({ isRefused })
      throw error
    }
    if (this.#closing.signal.aborted) await nats.close()
    else this.#hold(nats)
  }

  put(key: string, value: Uint8Array): Promise<void> {
    return this.#write((nats) => putKey(nats, this.#names.keys + key, value))
  }

  delete(key: string): Promise<void> {
    return this.#write((nats) => deleteKey(nats, this.#names.keys + key))
  }

  watch(watcher: BucketWatcher): () => void {
    const guard = (run: () => void) => this.#guard(run)
    const { machine } = this.#options
    const watch = new BucketWatch({ names: this.#names, machine, watcher, guard })
    const begin = async (nats: NatsConnection): Promise<void> => {
      try {
        await watch.begin(nats, () => void begin(nats))
      } catch (error) {
        // The bucket is gone, or the server does not answer: the next connection looks for it.
        if (this.#nats === nats) await this.#giveUp(nats, error)
      }
    }
    return this.#attach({ begin, end: () => watch.end() })
  }

  async *call(machine: string, request: Uint8Array, options: CallOptions) {
    const context = { nats: this.#connected(), names: this.#names, caller: this.#options.machine }
    yield* callMachine(context, machine, request, options)
  }

  serve(machine: string, serve: Serve): () => void {
    const onFault = (error: unknown) => this.#report(error)
    const names = this.#names
    let serving: Serving | undefined
    return this.#attach({
      begin: (nats) => {
        serving = new Serving({ nats, names, machine, serve, onFault })
      },
      end: () => serving?.close(),
    })
  }

  /** SPEC FL75. The founder's: requests of machines that have an invite. */
  serveJoins(serve: ServeJoin): () => void {
    const onFault = (error: unknown) => this.#report(error)
    let joins: JoinServing | undefined
    return this.#attach({
      begin: (nats) => {
        joins = new JoinServing(nats, this.#names, serve, onFault)
      },
      end: () => joins?.close(),
    })
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    const nats = this.#nats
    // What was sent last still goes out, if the server takes it.
    await Promise.race([nats?.flush().catch(() => {}), sleep(1_000, undefined, { ref: false })])
    this.#lose('Closed.')
    await nats?.close().catch(() => {})
  }

  #attach(attached: Attached): () => void {
    this.#attached.add(attached)
    if (this.#nats !== undefined) void attached.begin(this.#nats)
    return () => {
      this.#attached.delete(attached)
      attached.end()
    }
  }

  #hold(nats: NatsConnection): void {
    this.#nats = nats
    const since = performance.now()
    void this.#followFaults(nats)
    for (const attached of this.#attached) void attached.begin(nats)
    this.#tell({ connected: true })
    nats
      .closed()
      .catch((error) => error)
      .then((error) => {
        if (this.#closing.signal.aborted) return
        if (this.#nats === nats)
          this.#lose(`The connection to the server was lost${wordsAfter(error)}.`)
        this.#retries.again({ isRefused: performance.now() - since < REFUSED_WITHIN_MS })
      })
  }

  async #giveUp(nats: NatsConnection, error: unknown): Promise<void> {
    this.#lose(requestFault(error, 'watch the fleet’s bucket').message)
    await nats.close().catch(() => {})
  }

  #lose(why: string): void {
    this.#nats = undefined
    for (const attached of this.#attached) attached.end()
    this.#tell({ connected: false, why })
  }

  #failed({ message }: Error): void {
    this.#tell({ connected: false, why: message })
  }

  async #write(write: (nats: NatsConnection) => Promise<void>): Promise<void> {
    const nats = this.#connected()
    try {
      await write(nats)
    } catch (error) {
      const isGone = error instanceof TransportError && error.fault === 'disconnected'
      if (isGone && this.#nats === nats) await this.#giveUp(nats, error)
      throw error
    }
  }

  #connected(): NatsConnection {
    if (this.#nats !== undefined && !this.#nats.isClosed()) return this.#nats
    throw new TransportError('disconnected', this.#state.why ?? 'Not connected to the server.')
  }

  async #followFaults(nats: NatsConnection): Promise<void> {
    for await (const status of nats.status()) {
      if (status.type !== 'error') continue
      const { error } = status
      const isRefusal = error instanceof PermissionViolationError && error.operation === 'publish'
      if (isRefusal) failCalls(nats, error.subject)
      else this.#report(error)
    }
  }

  #tell(state: TransportState): void {
    if (state.connected === this.#state.connected && state.why === this.#state.why) return
    this.#state = state
    for (const listener of [...this.#listeners]) this.#guard(() => listener(state))
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#report(error)
    }
  }

  #report(error: unknown): void {
    try {
      this.#options.onFault?.(error)
    } catch {}
  }
}

function wordsAfter(error: unknown): string {
  return error instanceof Error && error.message !== '' ? ` (${error.message})` : ''
}
