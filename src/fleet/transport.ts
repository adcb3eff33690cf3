/**
 * What the fleet needs of a message broker. NATS JetStream implements it (`nats/transport.ts`); the
 * simulation has a broker that delays, drops and repeats.
 *
 * Keys of the one bucket of a fleet:
 * `roster`                   who belongs to the fleet, signed by its founder
 * `beat.<machine>`           the machine's heartbeat
 * `row.<machine>.<hash>`     a session's newest row
 * `lookers.<machine>`        who may read the machine's rows, if not every member
 */
export interface FleetTransport {
  /** Resolves when the server has stored the value; throws a `TransportError`. */
  put(key: string, value: Uint8Array): Promise<void>
  delete(key: string): Promise<void>
  /** Every key with its newest value, then each change, again after each reconnection. */
  watch(watcher: BucketWatcher): () => void
  /**
   * Asks the machine that serves its id. Yields the parts of its reply; `deadlineMs` is how long
   * the silence before each part may last. Throws a `TransportError`.
   */
  call(machine: string, request: Uint8Array, options: CallOptions): AsyncIterable<Uint8Array>
  /** Serves requests to this machine; returns how to stop. */
  serve(machine: string, serve: Serve): () => void
  readonly state: TransportState
  onState(listener: (state: TransportState) => void): () => void
  close(): Promise<void>
}

export interface BucketWatcher {
  /**
   * What follows until `onReady` is all that the bucket has; or, after a lost connection, only what
   * changed meanwhile, and all else is as it was.
   */
  readonly onBegin?: (isWhole: boolean) => void
  readonly onEntry: (entry: BucketEntry) => void
  /** All that the bucket held when the watch began has been passed on. */
  readonly onReady: () => void
  /** Runs when all that was passed on is read: the server sends on then. Without it, at once. */
  readonly whenRead?: (run: () => void) => void
}

export interface BucketEntry {
  readonly key: string
  /** Undefined: the key was deleted. */
  readonly value: Uint8Array | undefined
  /** The server's clock when it stored the value. */
  readonly storedAt: number
  /** The value was in the bucket before the watch began, or was missed while disconnected. */
  readonly isOld: boolean
}

export interface CallOptions {
  readonly silenceMaxMs: number
  readonly signal?: AbortSignal | undefined
}

/** Parts of the reply, in order, each sent when it is yielded. */
export type Serve = (request: Uint8Array, signal: AbortSignal) => AsyncIterable<Uint8Array>

export interface TransportState {
  readonly connected: boolean
  /** Why not, in words that say what to do. */
  readonly why?: string | undefined
}

/**
 * `offline`      no machine serves this id now
 * `late`         no reply in time: whether the request arrived is not known
 * `disconnected` this machine is not connected to the server: nothing was sent
 * `full`         the bucket has reached its size
 * `refused`      the server does not allow it
 */
export type TransportFault = 'offline' | 'late' | 'disconnected' | 'full' | 'refused'

export class TransportError extends Error {
  readonly fault: TransportFault

  constructor(fault: TransportFault, message: string) {
    super(message)
    this.fault = fault
  }
}
