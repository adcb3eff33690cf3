import type { OpenedEnvelope } from '../../fleet/envelope.ts'
import type { RemoteMachines } from '../../fleet/remote-machines.ts'
import type { Moment } from '../../fleet/remote-shapes.ts'
import type { FleetTransport } from '../../fleet/transport.ts'
import type { ArrivedEntry, BucketReader } from './bucket-reader.ts'
import { EntryChecks } from './entry-checks.ts'
import type { Membership } from './membership.ts'
import type { Sharing } from './sharing.ts'

export interface BucketFeedParts {
  readonly membership: Membership
  readonly reader: BucketReader
  readonly remote: RemoteMachines
  readonly sharing: Sharing
  readonly moment: () => Moment
  readonly onBegin: () => void
  /** What the bucket holds is known, and this machine is connected. */
  readonly onKnown: () => void
  readonly onTaken: () => void
  readonly onFault: (error: unknown) => void
  readonly onTrouble: (what: string | undefined) => void
}

/** SPEC FL203. Such a server gets little of this machine's time. */
const AGAIN_MS = 10_000
const FLOOD = 'the server sends more than can be checked here; what it has is read again every 10 s'

/** SPEC FL65, FL170. What a watch of the bucket tells, checked, in its order. */
export class BucketFeed {
  readonly #parts: BucketFeedParts
  readonly #checks: EntryChecks
  /** What comes now is all that the bucket has. */
  #isWhole = true
  #stop: (() => void) | undefined
  #transport: Pick<FleetTransport, 'watch' | 'state'> | undefined
  #again: NodeJS.Timeout | undefined

  constructor(parts: BucketFeedParts) {
    this.#parts = parts
    const { membership, onFault } = parts
    this.#checks = new EntryChecks({ membership, onFault, onFull: () => this.#full() })
  }

  /** Begins anew; ends an earlier watch. */
  watch(transport: Pick<FleetTransport, 'watch' | 'state'>): void {
    this.#end()
    this.#transport = transport
    this.#stop = transport.watch({
      onBegin: (isWhole) => this.#checks.after(() => this.#begin(isWhole)),
      onEntry: (entry) => {
        const arrived = { ...entry, arrivedAt: this.#parts.moment().mono }
        this.#checks.add(entry, (open) => this.#take(arrived, open))
      },
      onReady: () => this.#checks.after(() => this.#ready(transport.state.connected)),
      // SPEC FL202.
      whenRead: (run) => this.#checks.after(run),
    })
  }

  close(): void {
    this.#end()
    this.#checks.clear()
  }

  #end(): void {
    clearTimeout(this.#again)
    this.#stop?.()
    this.#stop = undefined
  }

  /** SPEC FL203. What was dropped is read again later. */
  #full(): void {
    const transport = this.#transport
    this.#end()
    this.#parts.onTrouble(FLOOD)
    if (transport) this.#again = setTimeout(() => this.watch(transport), AGAIN_MS).unref()
  }

  #take(entry: ArrivedEntry, open: (() => OpenedEnvelope) | undefined): void {
    const { sharing, reader, onTaken } = this.#parts
    sharing.saw(entry)
    reader.take(entry, open)
    onTaken()
  }

  #begin(isWhole: boolean): void {
    const { sharing, remote, onBegin } = this.#parts
    this.#isWhole = isWhole
    onBegin()
    if (!isWhole) return
    sharing.beginSnapshot()
    remote.beginSnapshot()
  }

  #ready(isConnected: boolean): void {
    const { remote, moment, onKnown, onTaken, onTrouble } = this.#parts
    onTrouble(undefined)
    // If the connection was lost meanwhile, the next one tells again when all was read.
    if (isConnected) onKnown()
    if (this.#isWhole) remote.endSnapshot(moment())
    onTaken()
  }
}
