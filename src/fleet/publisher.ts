import { createHash } from 'node:crypto'
import { firstTime } from '../core/appointments.ts'
import { PutQueue } from './put-queue.ts'
import { RowDigest } from './row-digest.ts'
import { rowKeyOf, rowPrefixOf } from './row-key.ts'
import type { Heartbeat, SharedRow, StoredRow } from './shapes.ts'
import { leftOut, SHARED_MAX, SHARED_MAX_WORDS } from './shared-choice.ts'
import type { TransportFault } from './transport.ts'

export interface PublisherParts {
  readonly machine: string
  readonly ids: () => Iterable<string>
  /** Undefined: the session is not in the list any more. */
  readonly row: (id: string) => SharedRow | undefined
  /** Resolves with the `rev` that the row got, when the server has stored it. */
  readonly put: (key: string, row: SharedRow) => Promise<number>
  readonly delete: (key: string) => Promise<void>
  /** Milliseconds, by a clock that is never set. */
  readonly now: () => number
  /** `nextTick` may be earlier than it was. */
  readonly onDue: () => void
  /** All that `reconcile` found is put: the time for a heartbeat with a digest. */
  readonly onReconciled?: () => void
}

const CHOICE_APART_MS = 1_000
/** The own watch shows a row later than the server's reply, but not by so much. */
const ECHO_MAX_MS = 5_000

/**
 * SPEC FL31–FL38. Keeps this machine's rows in the bucket as they are in its list. It knows which
 * rows may differ, not which changes happened: a row that changes often is put as often as the
 * server takes it.
 */
export class RowPublisher {
  readonly #parts: PublisherParts
  readonly #queue: PutQueue
  readonly #digest = new RowDigest()
  readonly #entries = new Map<string, Entry>()
  /** Keys that may have differed when the bucket was looked through, and were not put since. */
  readonly #unreconciled = new Set<string>()
  /** SPEC FL36. Sessions beyond the limit. */
  #left = new Set<string>()
  #choiceAt: number | undefined
  #connection = 0
  #isReconciling = false

  constructor(parts: PublisherParts) {
    this.#parts = parts
    const [send, onDone] = [this.#send.bind(this), this.#reconciled.bind(this)]
    this.#queue = new PutQueue({ send, onDone, onDue: parts.onDue, now: parts.now })
  }

  /** The session may have changed. */
  touch(id: string): void {
    const entry = this.#entryOf(rowKeyOf(this.#parts.machine, id), id)
    if (this.#entries.size > SHARED_MAX && !entry.stored) this.#left.add(id)
    if (this.#left.size > 0 && this.#choiceAt === undefined) {
      this.#choiceAt = this.#parts.now() + CHOICE_APART_MS
      this.#parts.onDue()
    }
    this.#queue.mark(entry.key)
    this.#queue.pump()
  }

  /** Nothing is sent until `reconcile`. */
  pause(): void {
    this.#queue.pause()
  }

  /** SPEC FL35. After each connection: what the bucket has under keys of this machine. */
  reconcile(existing: Iterable<StoredRow>): void {
    this.#connection += 1
    this.#queue.restart()
    const stored = new Map([...existing].map((row) => [row.key, row]))
    const prefix = rowPrefixOf(this.#parts.machine)
    for (const key of stored.keys()) if (key.startsWith(prefix)) this.#entryOf(key)
    for (const id of this.#parts.ids()) this.#entryOf(rowKeyOf(this.#parts.machine, id), id)
    this.#unreconciled.clear()
    this.#choose()
    for (const entry of this.#entries.values()) {
      this.#adopt(entry, stored.get(entry.key))
      this.#queue.mark(entry.key)
      this.#unreconciled.add(entry.key)
    }
    this.#isReconciling = true
    this.#queue.pump()
    this.#reconciled()
  }

  /** SPEC FL32. Other machines need other keys to read them: all rows are put again. */
  renew(): void {
    // What is on its way has the earlier key.
    this.#connection += 1
    for (const entry of this.#entries.values()) {
      if (entry.stored) this.#store(entry, entry.stored.rev, undefined)
      this.#queue.mark(entry.key)
    }
    this.#queue.pump()
  }

  /** SPEC FL38. What the own watch shows under a key of this machine; undefined if deleted. */
  observe(key: string, rev: number | undefined): void {
    if (!key.startsWith(rowPrefixOf(this.#parts.machine))) return
    const known = this.#entries.get(key)
    if (known) known.seen = { rev }
    if (known || rev === undefined) return
    this.#store(this.#entryOf(key), rev, undefined)
    this.#queue.mark(key)
    this.#queue.pump()
  }

  /** What this machine says every five seconds. SPEC FL38. Also finds rows that the bucket lost. */
  beat(about: Omit<Heartbeat, 'rows' | 'digest'>): Heartbeat {
    const now = this.#parts.now()
    for (const entry of this.#entries.values()) {
      const { key, seen, stored } = entry
      if (!seen || seen.rev === stored?.rev || this.#queue.isMarked(key)) continue
      if (now - entry.changedAt < ECHO_MAX_MS) continue
      this.#store(entry, seen.rev, undefined)
      this.#queue.mark(key)
    }
    this.#queue.pump()
    return { ...about, troubles: [...about.troubles, ...this.troubles()], ...this.stored() }
  }

  /** SPEC FL39. Rows that are on their way back into the bucket are not gone. */
  stored(): Pick<Heartbeat, 'rows' | 'digest'> {
    const digest = this.#unreconciled.size > 0 ? '' : this.#digest.text
    return { rows: this.#digest.count, digest }
  }

  /** SPEC FL36, FL37, FL169. What keeps rows from being shared, in words. */
  troubles(): readonly string[] {
    const of = (fault: TransportFault) => this.#queue.failed(fault)
    const [full, refused, late, left] = [of('full'), of('refused'), of('late'), this.#left.size]
    return [
      left > 0 && `${left} sessions are not shared: a machine shares at most ${SHARED_MAX_WORDS}`,
      full > 0 && `the fleet’s storage is full: ${full} rows are not up to date on other machines`,
      refused > 0 && `the fleet’s server refuses ${refused} rows of this machine`,
      late > 0 && `the fleet’s server does not confirm ${late} rows of this machine`,
    ].filter((text) => text !== false)
  }

  /** By `now` of the parts; undefined: nothing waits. */
  nextTick(): number | undefined {
    return firstTime(this.#queue.nextTick(), this.#choiceAt)
  }

  tick(): void {
    if (this.#choiceAt !== undefined && this.#choiceAt <= this.#parts.now()) this.#choose()
    this.#queue.tick()
  }

  #entryOf(key: string, id?: string): Entry {
    const entry = this.#entries.get(key) ?? { key, isUnsure: false, changedAt: this.#parts.now() }
    if (id !== undefined) entry.id = id
    this.#entries.set(key, entry)
    return entry
  }

  #adopt(entry: Entry, found: StoredRow | undefined): void {
    entry.seen = undefined
    entry.isUnsure = this.#queue.isSending(entry.key)
    if (found && found.rev === entry.stored?.rev && entry.stored.hash) return
    this.#store(entry, found?.rev, found?.row && hashOf(found.row))
  }

  #store(entry: Entry, rev: number | undefined, hash: string | undefined): void {
    if (entry.stored) this.#digest.remove(entry.key, entry.stored.rev)
    if (rev !== undefined) this.#digest.add(entry.key, rev)
    entry.stored = rev === undefined ? undefined : { rev, hash }
    entry.changedAt = this.#parts.now()
  }

  /** SPEC FL36. What leaves is marked first, so that the bucket never has too many. */
  #choose(): void {
    this.#choiceAt = undefined
    const before = this.#left
    const candidates = [...this.#parts.ids()].flatMap((id) => {
      const row = this.#parts.row(id)
      const entry = this.#entries.get(rowKeyOf(this.#parts.machine, id))
      return row ? { id, row, isPublished: entry?.stored !== undefined } : []
    })
    this.#left = leftOut(candidates)
    for (const id of [...this.#left, ...before]) {
      if (before.has(id) === this.#left.has(id)) continue
      this.#queue.mark(this.#entryOf(rowKeyOf(this.#parts.machine, id), id).key)
    }
  }

  #send(key: string): Promise<void> | undefined {
    const entry = this.#entryOf(key)
    const { id, stored } = entry
    const row = id === undefined || this.#left.has(id) ? undefined : this.#parts.row(id)
    if (!row && !stored && !entry.isUnsure) {
      this.#entries.delete(key)
      return undefined
    }
    const hash = row && hashOf(row)
    // SPEC FL32. The bucket has this very row.
    if (row && stored?.hash === hash && !entry.isUnsure) return undefined
    return this.#await(entry, hash, row ? this.#parts.put(key, row) : this.#parts.delete(key))
  }

  async #await(entry: Entry, hash: string | undefined, sent: Promise<unknown>) {
    const connection = this.#connection
    try {
      const rev = await sent
      this.#store(entry, typeof rev === 'number' ? rev : undefined, hash)
      // On an earlier connection: it may have been stored before the bucket was looked through.
      entry.isUnsure = connection !== this.#connection
      if (entry.isUnsure || !entry.stored) this.#queue.mark(entry.key)
    } catch (error) {
      // SPEC FL34. The bucket may have either row, so neither counts as put.
      entry.isUnsure = true
      throw error
    }
  }

  /** Not while others are in flight: they may be stored, and the digest would lack them. */
  #reconciled(key?: string): void {
    if (key !== undefined) this.#unreconciled.delete(key)
    if (!this.#isReconciling || this.#unreconciled.size > 0 || this.#queue.isSendingAny) return
    this.#isReconciling = false
    this.#parts.onReconciled?.()
  }
}

interface Entry {
  readonly key: string
  /** Undefined: a row that the bucket has and the list does not. */
  id?: string
  stored?: { readonly rev: number; readonly hash: string | undefined } | undefined
  /** What the own watch showed last. */
  seen?: { readonly rev: number | undefined } | undefined
  /** A put or delete failed: the bucket may have either row. */
  isUnsure: boolean
  changedAt: number
}

function hashOf(row: SharedRow): string {
  return createHash('sha256').update(JSON.stringify(row)).digest('base64url')
}
