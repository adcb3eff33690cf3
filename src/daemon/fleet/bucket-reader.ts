import type { OpenedEnvelope } from '../../fleet/envelope.ts'
import { heartbeatShape, lookersShape, sharedRowShape } from '../../fleet/payloads.ts'
import type { RemoteMachines } from '../../fleet/remote-machines.ts'
import type { Moment } from '../../fleet/remote-shapes.ts'
import { RevGuard } from '../../fleet/replay-guard.ts'
import type { Heartbeat, StoredRow } from '../../fleet/shapes.ts'
import type { BucketEntry } from '../../fleet/transport.ts'
import { EarlyEntries } from './early-entries.ts'
import type { Membership } from './membership.ts'

export interface BucketReaderParts {
  readonly membership: Membership
  readonly remote: RemoteMachines
  readonly moment: () => Moment
  /** A heartbeat under this machine's own id. */
  readonly onOwnBeat: (beat: Heartbeat & { readonly at: number; readonly isOld: boolean }) => void
  /** A row under this machine's own id; without a row it was deleted. */
  readonly onOwnRow: (key: string, row: StoredRow | undefined) => void
  readonly onRoster: () => void
}

export interface ArrivedEntry extends BucketEntry {
  /** By a clock that is never set: checks take time. */
  readonly arrivedAt?: number | undefined
}

/** SPEC FL138, FL139. Checks what the bucket holds, and passes on what a member signed. */
export class BucketReader {
  readonly #parts: BucketReaderParts
  readonly #revs = new RevGuard()
  readonly #early = new EarlyEntries()

  constructor(parts: BucketReaderParts) {
    this.#parts = parts
  }

  /** `open`: its signature was checked before. */
  take(entry: ArrivedEntry, open?: () => OpenedEnvelope): void {
    const { key, value } = entry
    const [kind, machine = ''] = key.split('.', 2)
    if (kind === 'roster') this.#roster(value)
    else if (kind === 'beat' && value) this.#beat(machine, entry, open ?? this.#opening(entry))
    else if (kind === 'row') this.#row(machine, entry, open ?? this.#opening(entry))
    else if (kind === 'lookers') this.#lookers(machine, entry)
  }

  #opening({ key, value = new Uint8Array() }: BucketEntry): () => OpenedEnvelope {
    const [kind, machine = ''] = key.split('.', 2)
    const expected = { kind: kind === 'beat' ? kind : 'row', about: key, machine } as const
    return () => this.#parts.membership.open(value, expected)
  }

  /** SPEC FL29. Without a list all members may look. */
  #lookers(machine: string, entry: ArrivedEntry): void {
    const { membership, remote, moment } = this.#parts
    if (machine === membership.machine) return
    const { key, value } = entry
    if (value) {
      const opened = membership.open(value, { kind: 'lookers', about: key, machine })
      if (!opened.ok) {
        this.#unreadable(entry, opened.why)
        return
      }
      const parsed = lookersShape.safeParse(opened.payload)
      if (!parsed.success || !this.#revs.accept(key, opened.head.rev)) return
      remote.setHidden(machine, !membership.takeLookers(machine, parsed.data), moment())
    } else {
      membership.takeLookers(machine, undefined)
      remote.setHidden(machine, false, moment())
    }
    this.#again(({ key: early }) => early.startsWith(`row.${machine}.`))
  }

  #again(isReadable: (entry: ArrivedEntry) => boolean): void {
    for (const entry of this.#early.take(isReadable)) this.take(entry)
  }

  #roster(value: Uint8Array | undefined): void {
    const { membership, onRoster } = this.#parts
    if (!value || !membership.takeRoster(value)) return
    onRoster()
    this.#again(() => true)
  }

  #beat(machine: string, entry: ArrivedEntry, open: () => OpenedEnvelope): void {
    const { membership, remote, moment, onOwnBeat } = this.#parts
    const opened = open()
    if (!opened.ok) {
      this.#unreadable(entry, opened.why)
      return
    }
    const parsed = heartbeatShape.safeParse(opened.payload)
    if (!parsed.success) return
    const { rev, at } = opened.head
    const { isOld, storedAt, arrivedAt } = entry
    if (machine === membership.machine) {
      onOwnBeat({ ...parsed.data, at, isOld })
      const now = moment()
      if (!isOld) remote.hearServer(storedAt, arrivedAt ?? now.mono, now)
      return
    }
    if (!isOld && !this.#revs.accept(entry.key, rev)) return
    const beat = parsed.data
    remote.takeBeat({ machine, rev, at, storedAt, arrivedAt, isOld, beat }, moment())
  }

  #row(machine: string, entry: BucketEntry, open: () => OpenedEnvelope): void {
    const { membership, remote, moment, onOwnRow } = this.#parts
    const { key, value, storedAt, isOld } = entry
    const isOwn = machine === membership.machine
    if (!value) {
      this.#early.delete(key)
      if (isOwn) onOwnRow(key, undefined)
      else remote.takeDeleted({ machine, key, storedAt }, moment())
      return
    }
    const opened = open()
    if (!opened.ok) {
      this.#unreadable(entry, opened.why)
      return
    }
    const parsed = sharedRowShape.safeParse(opened.payload)
    const { rev, at } = opened.head
    const row = parsed.success ? parsed.data : undefined
    // SPEC FL32. Under an earlier key it counts as another row: it is put again.
    const isPresent = opened.head.key === membership.rowKey
    if (isOwn) onOwnRow(key, { key, rev, row: isPresent ? row : undefined })
    else if (row) remote.takeRow({ machine, key, rev, at, storedAt, isOld, row }, moment())
  }

  #unreadable(entry: ArrivedEntry, why: string): void {
    if (why === 'stranger' || why === 'key') this.#early.add(entry)
  }
}
