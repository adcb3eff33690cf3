import { CallGuard } from '../../fleet/call-guard.ts'
import { RemoteMachines } from '../../fleet/remote-machines.ts'
import type { Moment } from '../../fleet/remote-shapes.ts'
import { readAddress } from '../../protocol/address.ts'
import { BucketFeed } from './bucket-feed.ts'
import { BucketReader } from './bucket-reader.ts'
import { CloneWatch } from './clone-watch.ts'
import { IncomingCalls } from './incoming.ts'
import type { LinkParts } from './link-parts.ts'
import { OutgoingCalls } from './outgoing.ts'
import { Sharing } from './sharing.ts'
import { Ticker } from './ticker.ts'
import { WordAsker } from './word-asker.ts'

/** Half of what a machine may be silent. */
const BEAT_MS = 5_000
const BEAT_AGAIN_MS = 1_000
const REWATCH_APART_MS = 10_000

/** SPEC FL136–FL141. This machine in its fleet, over one connection: its rows out, others' in. */
export class FleetLink {
  readonly remote: RemoteMachines
  readonly #parts: LinkParts
  readonly #sharing: Sharing
  readonly #clone: CloneWatch
  readonly #words: WordAsker
  readonly #calls: OutgoingCalls
  readonly #incoming: IncomingCalls
  readonly #feed: BucketFeed
  readonly #ticker: Ticker
  readonly #stops: (() => void)[] = []
  #beats: NodeJS.Timeout | undefined
  #isWatching = false
  #rewatchedAt = 0
  #isReady = false
  #isServing = false
  #isClosed = false

  constructor(parts: LinkParts) {
    this.#parts = parts
    const { membership, transport, now, app, onFault } = parts
    this.#words = new WordAsker({
      ...{ membership, transport },
      onReply: (machine, word) => this.remote.prove(machine, word, this.#moment()),
      onNone: (machine) => this.remote.unanswered(machine),
    })
    const ask = (machine: string) => this.#words.ask(machine)
    const refetch = () => this.#rewatch()
    this.remote = new RemoteMachines({ own: membership.machine, refetch, ask })
    this.#clone = new CloneWatch(parts)
    this.#calls = new OutgoingCalls({ transport, membership, now })
    const { startedAt } = parts.about()
    const onOwnCall = () => this.#clone.sawCall()
    const stored = () => this.#sharing.publisher.stored()
    const calls = { membership, app, now, startedAt, onOwnCall, stored }
    this.#incoming = new IncomingCalls({ ...calls, guard: new CallGuard() })
    this.#sharing = new Sharing(parts, {
      onDue: () => this.#ticker.look(),
      onReconciled: () => {
        void this.#beat()
        // SPEC FL50. Rows that changed meanwhile are counted now, and not five seconds later.
        setTimeout(() => void this.#beat(), BEAT_AGAIN_MS).unref()
      },
    })
    const reader = new BucketReader({
      membership,
      remote: this.remote,
      moment: () => this.#moment(),
      onOwnBeat: (beat) => this.#clone.sawBeat(beat),
      onOwnRow: (key, row) => this.#sharing.sawRow(key, row),
      onRoster: () => {
        this.#setMembers()
        parts.onRoster()
      },
    })
    this.#feed = new BucketFeed({
      ...{ membership, reader, onFault, remote: this.remote, sharing: this.#sharing },
      moment: () => this.#moment(),
      onBegin: () => {
        this.#isReady = false
      },
      onKnown: () => this.#known(),
      onTaken: () => this.#ticker.look(),
      onTrouble: (what) => parts.onTrouble('bucket', what),
    })
    const tick = () => this.remote.tick(this.#moment())
    const remote = { nextTick: () => this.remote.nextTick(), tick }
    this.#ticker = new Ticker([remote, this.#sharing.publisher], mono)
  }

  get state() {
    return this.#parts.transport.state
  }

  start(): void {
    const { transport, own, membership, onRemoteRows, onMachine } = this.#parts
    this.remote.setMembers(membership.roster.members, this.#moment())
    this.#stops.push(
      this.remote.onRows(onRemoteRows),
      this.remote.onMachine(onMachine),
      own.onChange(({ id }) => this.#touched(id)),
      transport.onState(() => void this.#stateChanged()),
    )
    this.#beats = setInterval(() => void this.#beat(), BEAT_MS).unref()
    void this.#stateChanged()
  }

  /** SPEC FL29. What other machines may do here is something else now. */
  rightsChanged(): void {
    if (this.#mayPublish()) this.#sharing.membersChanged()
  }

  /** SPEC FL147. The founder's: the new list of machines. */
  publishRoster(bytes: Uint8Array): Promise<void> {
    this.#setMembers()
    return this.#parts.transport.put('roster', bytes)
  }

  async deleteKeys(keys: readonly string[]): Promise<void> {
    await Promise.allSettled(keys.map((key) => this.#parts.transport.delete(key)))
  }

  forward: OutgoingCalls['forward'] = (...given) => this.#calls.forward(...given)

  aheadMs(machine: string): number {
    return -(this.remote.machines().find(({ id }) => id === machine)?.clockOffsetMs ?? 0)
  }

  /** SPEC FL141. With `isLeaving` nothing of this machine stays in the bucket. */
  async close({ isLeaving = false } = {}): Promise<void> {
    if (this.#isClosed) return
    const { transport } = this.#parts
    const mayPublish = transport.state.connected && this.#mayPublish()
    if (mayPublish && isLeaving) {
      this.#sharing.pause()
      await this.deleteKeys(this.#sharing.keys())
    } else if (mayPublish) await this.#beat(true)
    this.#isClosed = true
    this.#words.close()
    clearInterval(this.#beats)
    this.#ticker.close()
    this.#feed.close()
    for (const stop of this.#stops) stop()
    await transport.close()
  }

  async #stateChanged(): Promise<void> {
    const { transport, onTrouble, onMachine } = this.#parts
    const { connected, why } = transport.state
    onTrouble('server', connected ? undefined : why)
    onMachine()
    if (!connected) this.#isReady = false
    if (!connected) return this.#sharing.pause()
    if (!this.#isServing) await this.#clone.askSelf()
    if (this.#isClosed || !transport.state.connected) return
    this.#serve()
    if (!this.#isWatching) this.#watch()
  }

  #serve(): void {
    const { transport, membership } = this.#parts
    if (this.#isServing || !this.#mayPublish()) return
    this.#isServing = true
    this.#stops.push(
      transport.serve(membership.machine, (bytes, signal) => this.#incoming.serve(bytes, signal)),
    )
  }

  #watch(): void {
    this.#isWatching = true
    this.#feed.watch(this.#parts.transport)
  }

  /** What the bucket holds is known. */
  #known(): void {
    this.#isReady = true
    if (this.#mayPublish()) this.#sharing.reconcile()
    void this.#beat()
  }

  /** Rows of a machine are missing here: the bucket is read again from its beginning. */
  #rewatch(): void {
    if (!this.#isReady || mono() - this.#rewatchedAt < REWATCH_APART_MS) return
    this.#rewatchedAt = mono()
    queueMicrotask(() => {
      if (this.#isClosed || !this.#isReady) return
      this.#watch()
    })
  }

  /** SPEC FL142, FL147. A machine that was removed has no key to seal anything with. */
  #mayPublish(): boolean {
    const { membership } = this.#parts
    return this.#clone.mayPublish() && membership.isMember(membership.machine)
  }

  #touched(id: string): void {
    // Rows of other machines are in the same list, by their addresses.
    if (readAddress(id).machine !== undefined || !this.#mayPublish()) return
    this.#sharing.publisher.touch(id)
    this.#ticker.look()
  }

  async #beat(isEnding = false): Promise<void> {
    const { transport, membership, about, onTrouble, onBeat } = this.#parts
    if (!isEnding) onBeat()
    this.#clone.tell()
    onTrouble('rows', this.#sharing.publisher.troubles().join('; ') || undefined)
    if (this.#isClosed || !this.#isReady || !this.#mayPublish()) return
    // SPEC FL142. The other daemon with its id may have gone since.
    this.#serve()
    const key = `beat.${membership.machine}`
    const beat = this.#sharing.beat({ ...about(), isEnding })
    // One that is not stored is followed by another in five seconds.
    await transport.put(key, membership.seal('beat', key, beat)).catch(() => {})
    this.#ticker.look()
  }

  #setMembers(): void {
    this.remote.setMembers(this.#parts.membership.roster.members, this.#moment())
    if (this.#mayPublish()) this.#sharing.membersChanged()
    this.#parts.onMachine()
  }

  #moment(): Moment {
    return { mono: mono(), wall: this.#parts.now() }
  }
}

function mono(): number {
  return performance.now()
}
