import { RowDigest } from './row-digest.ts'
import { rowKeyOf } from './row-key.ts'
import type { Heartbeat, SharedRow } from './shapes.ts'
import { SHARED_MAX } from './shared-choice.ts'

/** Where and when an opened payload was stored. */
export interface EntryOrigin {
  readonly machine: string
  readonly rev: number
  /** By the clock of the machine that wrote it. */
  readonly at: number
  /** By the server's clock. */
  readonly storedAt: number
  readonly isOld: boolean
}

export interface RowEntry extends EntryOrigin {
  readonly key: string
  readonly row: SharedRow
}

export interface DeletedRow {
  readonly machine: string
  readonly key: string
  /** By the server's clock. */
  readonly storedAt: number
}

/** A heartbeat was made before rows that arrive ahead of it: their digests are remembered. */
const PAST_MAX_MS = 15_000
const PAST_MAX = 512

type Published = Pick<Heartbeat, 'rows' | 'digest'>

/** SPEC FL40, FL41. The rows of one other machine, each the newest that was ever seen. */
export class RemoteRows {
  readonly #machine: string
  readonly #byKey = new Map<string, Held>()
  readonly #bySession = new Map<string, Held>()
  /** The last `rev` of deleted rows, so that an old row does not come back. */
  readonly #deleted = new Map<string, number>()
  readonly #digest = new RowDigest()
  #past: (Published & { readonly mono: number })[] = []
  #snapshot = 0
  /** SPEC FL47. A row more than the limit came. */
  isOver = false

  constructor(machine: string) {
    this.#machine = machine
  }

  get size(): number {
    return this.#byKey.size
  }

  sessions(): Iterable<string> {
    return this.#bySession.keys()
  }

  get(session: string): RowEntry | undefined {
    return this.#bySession.get(session)?.entry
  }

  /** Returns the session if its row is another one now. */
  take(entry: RowEntry, mono: number, isListed = entry.isOld): string | undefined {
    const { key, rev, row } = entry
    if (key !== rowKeyOf(this.#machine, row.session.id)) return undefined
    const held = this.#byKey.get(key)
    if (held) held.snapshot = this.#snapshot
    if (held && rev <= held.entry.rev) {
      this.#confirm(held, mono)
      return undefined
    }
    const deletedRev = this.#deleted.get(key) ?? -1
    // What the bucket lists is there, although its deletion was seen: the bucket was restored.
    if (!held && (isListed ? rev < deletedRev : rev <= deletedRev)) return undefined
    this.isOver = !held && this.#byKey.size >= SHARED_MAX
    if (this.isOver) return undefined
    if (held?.isConfirmed) this.#digest.remove(key, held.entry.rev)
    const taken = { entry, snapshot: this.#snapshot, isConfirmed: false }
    this.#byKey.set(key, taken)
    this.#bySession.set(row.session.id, taken)
    this.#deleted.delete(key)
    this.#confirm(taken, mono)
    return row.session.id
  }

  /** Returns the session whose row it was. A listing may be ahead of the watch. */
  takeDeleted(key: string, storedAt: number, mono: number): string | undefined {
    const held = this.#byKey.get(key)
    return held && held.entry.storedAt > storedAt ? undefined : this.drop(key, mono)
  }

  /** Returns the session whose row it was. */
  drop(key: string, mono: number): string | undefined {
    const held = this.#byKey.get(key)
    if (!held) return undefined
    const { rev, row } = held.entry
    this.#byKey.delete(key)
    this.#bySession.delete(row.session.id)
    this.#deleted.set(key, rev)
    const [oldest] = this.#deleted.size > SHARED_MAX ? this.#deleted.keys() : []
    if (oldest !== undefined) this.#deleted.delete(oldest)
    if (held.isConfirmed) this.#digest.remove(key, rev)
    this.isOver = false
    this.#remember(mono)
    return row.session.id
  }

  beginSnapshot(): void {
    this.#snapshot += 1
  }

  /**
   * SPEC FL42. Rows that the snapshot lacks are gone. Without a heartbeat in it the bucket itself
   * was lost: then they stay, not confirmed, until the machine has said what it has.
   */
  endSnapshot(hasBeat: boolean, mono: number): readonly string[] {
    const missing = [...this.#byKey].filter(([, { snapshot }]) => snapshot !== this.#snapshot)
    this.#past = []
    if (hasBeat) {
      const gone = missing.flatMap(([key]) => this.drop(key, mono) ?? [])
      // A heartbeat may be older than a row that comes next.
      this.#remember(mono)
      return gone
    }
    for (const [key, held] of missing) {
      if (held.isConfirmed) this.#digest.remove(key, held.entry.rev)
      held.isConfirmed = false
    }
    this.#remember(mono)
    return []
  }

  /** Those that a heartbeat did not count. */
  dropUnconfirmed(mono: number): readonly string[] {
    const lost = [...this.#byKey].filter(([, { isConfirmed }]) => !isConfirmed)
    return lost.flatMap(([key]) => this.drop(key, mono) ?? [])
  }

  /** SPEC FL46. All rows that the bucket had after a heartbeat; those that came later stay. */
  takeListing(entries: readonly RowEntry[], beatRev: number, mono: number): readonly string[] {
    const listed = new Set(entries.map(({ key }) => key))
    const newest = entries.reduce((max, { rev }) => Math.max(max, rev), beatRev)
    const gone = [...this.#byKey].filter(
      ([key, { entry }]) => !listed.has(key) && entry.rev <= newest,
    )
    const changed = gone.flatMap(([key]) => this.drop(key, mono) ?? [])
    return [...changed, ...entries.flatMap((entry) => this.take(entry, mono, true) ?? [])]
  }

  /** Whether these were the rows at some time of the last seconds. */
  hasHad({ rows, digest }: Published, mono: number): boolean {
    const isSame = (past: Published) => past.rows === rows && past.digest === digest
    if (isSame({ rows: this.#digest.count, digest: this.#digest.text })) return true
    return this.#past.some((past) => mono - past.mono <= PAST_MAX_MS && isSame(past))
  }

  #confirm(held: Held, mono: number): void {
    if (!held.isConfirmed) this.#digest.add(held.entry.key, held.entry.rev)
    held.isConfirmed = true
    this.#remember(mono)
  }

  #remember(mono: number): void {
    const first = this.#past[0]
    if (first && (mono - first.mono > PAST_MAX_MS || this.#past.length >= PAST_MAX))
      this.#past = this.#past.slice(-PAST_MAX / 2).filter((past) => mono - past.mono <= PAST_MAX_MS)
    this.#past.push({ rows: this.#digest.count, digest: this.#digest.text, mono })
  }
}

interface Held {
  readonly entry: RowEntry
  /** The last snapshot that had it, or after which it came. */
  snapshot: number
  /** It counts in the digest: the bucket has it. */
  isConfirmed: boolean
}
