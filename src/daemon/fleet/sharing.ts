import { ROW_PLAIN_MAX_BYTES } from '../../fleet/envelope.ts'
import { type PublisherParts, RowPublisher } from '../../fleet/publisher.ts'
import { fitRow } from '../../fleet/row-fit.ts'
import type { Heartbeat, StoredRow } from '../../fleet/shapes.ts'
import type { BucketEntry } from '../../fleet/transport.ts'
import { addressOf } from '../../protocol/address.ts'
import type { LinkParts } from './link-parts.ts'
import { keysOfMachine, RosterKeeper } from './roster-keeper.ts'

type Parts = Pick<LinkParts, 'membership' | 'transport' | 'own'>

/** What this machine keeps in the bucket: its rows, and which machines may see them. */
export class Sharing {
  readonly #parts: Parts
  readonly #rows: RowPublisher
  readonly #roster: RosterKeeper
  readonly #lookersKey: string
  /** Rows of this machine that the bucket has. */
  #stored = new Map<string, StoredRow>()
  /** The key of the rows that were put last. */
  #rowKey: number | string
  #hasLookers = false
  #isReady = false

  constructor(parts: Parts, events: Pick<PublisherParts, 'onDue' | 'onReconciled'>) {
    this.#parts = parts
    const { membership, transport } = parts
    this.#rows = publisherOver(parts, events)
    this.#roster = new RosterKeeper(membership, transport)
    this.#lookersKey = `lookers.${membership.machine}`
    this.#rowKey = membership.rowKey
  }

  get publisher(): RowPublisher {
    return this.#rows
  }

  /** What follows is all that the bucket has. */
  beginSnapshot(): void {
    this.#isReady = false
    this.#stored = new Map()
    this.#hasLookers = false
    this.#roster.forget()
  }

  saw(entry: BucketEntry): void {
    this.#roster.saw(entry)
    if (entry.key === this.#lookersKey) this.#hasLookers = entry.value !== undefined
  }

  sawRow(key: string, row: StoredRow | undefined): void {
    if (row) this.#stored.set(key, row)
    else this.#stored.delete(key)
    if (this.#isReady) this.#rows.observe(key, row?.rev)
  }

  pause(): void {
    this.#isReady = false
    this.#rows.pause()
  }

  /** The bucket is known: this machine's part of it is made right. */
  reconcile(): void {
    this.#isReady = true
    this.#parts.membership.renewLookKey()
    this.#roster.restore()
    this.#putLookers()
    this.#keyChanged()
    this.#rows.reconcile(this.#stored.values())
  }

  /** SPEC FL29, FL32. The machines of the fleet, or what they may do here, are others now. */
  membersChanged(): void {
    const { membership } = this.#parts
    membership.renewLookKey()
    if (!this.#isReady) return
    this.#putLookers()
    if (this.#keyChanged()) this.#rows.renew()
  }

  /** What the bucket has under an earlier key counts as other rows. */
  #keyChanged(): boolean {
    const { rowKey } = this.#parts.membership
    if (rowKey === this.#rowKey) return false
    this.#rowKey = rowKey
    for (const [key, { rev }] of this.#stored) this.#stored.set(key, { key, rev })
    return true
  }

  beat(about: Omit<Heartbeat, 'rows' | 'digest'>): Heartbeat {
    return this.#rows.beat(about)
  }

  /** SPEC FL141. Everything that this machine has in the bucket. */
  keys(): readonly string[] {
    const { membership, own } = this.#parts
    const { machine } = membership
    const addresses = [...own.ids()].map((id) => addressOf({ machine, id }))
    return [...new Set([...this.#stored.keys(), ...keysOfMachine(machine, addresses)])]
  }

  /** If it fails, the next connection does it. */
  #putLookers(): void {
    const { membership, transport } = this.#parts
    const { lookers } = membership
    if (lookers) {
      const bytes = membership.seal('lookers', this.#lookersKey, lookers)
      transport.put(this.#lookersKey, bytes).catch(() => {})
    } else if (this.#hasLookers) transport.delete(this.#lookersKey).catch(() => {})
  }
}

/** Publishes this machine's rows, signed and encrypted. */
function publisherOver(
  { membership, transport, own }: Parts,
  events: Pick<PublisherParts, 'onDue' | 'onReconciled'>,
): RowPublisher {
  return new RowPublisher({
    ...events,
    machine: membership.machine,
    ids: () => own.ids(),
    row: (id) => {
      const row = own.row(id)
      return row && fitRow(row, ROW_PLAIN_MAX_BYTES)
    },
    put: async (key, row) => {
      const rev = membership.nextRev()
      await transport.put(key, membership.seal('row', key, row, rev))
      return rev
    },
    delete: (key) => transport.delete(key),
    now: () => performance.now(),
  })
}
