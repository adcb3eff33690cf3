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
}

/** SPEC FL65, FL170. What a watch of the bucket tells, checked, in its order. */
export class BucketFeed {
  readonly #parts: BucketFeedParts
  readonly #checks: EntryChecks
  /** What comes now is all that the bucket has. */
  #isWhole = true

  constructor(parts: BucketFeedParts) {
    this.#parts = parts
    this.#checks = new EntryChecks(parts.membership, parts.onFault)
  }

  watch(transport: FleetTransport): () => void {
    return transport.watch({
      onBegin: (isWhole) => this.#checks.after(() => this.#begin(isWhole)),
      onEntry: (entry) => {
        const arrived = { ...entry, arrivedAt: this.#parts.moment().mono }
        this.#checks.add(entry, (open) => this.#take(arrived, open))
      },
      onReady: () => this.#checks.after(() => this.#ready(transport.state.connected)),
    })
  }

  clear(): void {
    this.#checks.clear()
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
    const { remote, moment, onKnown, onTaken } = this.#parts
    // If the connection was lost meanwhile, the next one tells again when all was read.
    if (isConnected) onKnown()
    if (this.#isWhole) remote.endSnapshot(moment())
    onTaken()
  }
}
