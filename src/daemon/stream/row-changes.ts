import { randomBytes } from 'node:crypto'
import { Appointments } from '../../core/appointments.ts'
import { timerMs } from '../../home/timer.ts'
import { Listeners } from '../listeners.ts'

/** SPEC P18. Between two rows of one session: ten a second are more than a person can read. */
const APART_MS = 100
/**
 * Sessions that left the list, for clients that reconnect; a client that missed more starts over.
 */
const GONE_MAX = 1_000

export interface RowChangesParts {
  readonly isListed: (id: string) => boolean
  /** When time alone removes the session from the list. */
  readonly leavesAt: (id: string) => number | undefined
  readonly now: () => number
}

/** A session whose row has changed, and the position of that change. */
export interface RowChange {
  readonly id: string
  readonly count: number
}

/** SPEC P16–P20. Which rows of the list have changed, in order, each change with a position. */
export class RowChanges {
  readonly #parts: RowChangesParts
  /** Positions of another run of the daemon mean nothing here. */
  readonly #run = randomBytes(6).toString('base64url')
  /** The last change of each session, oldest first. */
  readonly #last = new Map<string, number>()
  /** Those of them that left the list, oldest first. */
  readonly #gone = new Set<string>()
  /** Sessions whose row was published less than `APART_MS` ago, oldest first. */
  readonly #recent = new Map<string, { readonly at: number; again: boolean }>()
  readonly #leaves = new Appointments()
  readonly #listeners = new Listeners<RowChange>()
  #count = 0
  /** Before this position, sessions may have left that are not remembered. */
  #oldest = 0
  #paceTimer: NodeJS.Timeout | undefined
  #leaveTimer: NodeJS.Timeout | undefined

  constructor(parts: RowChangesParts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#count
  }

  positionOf(count: number): string {
    return `${this.#run}.${count}`
  }

  /** What changed after a position; undefined if the position is not known. */
  since(position: string): readonly RowChange[] | undefined {
    const [run, digits = '', ...rest] = position.split('.')
    const count = Number(digits)
    if (run !== this.#run || rest.length > 0 || !/^\d{1,15}$/.test(digits)) return undefined
    if (count > this.#count || count < this.#oldest) return undefined
    return [...this.#last].flatMap(([id, last]) => (last > count ? { id, count: last } : []))
  }

  onChange(listener: (change: RowChange) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Something about these sessions may be new. */
  touch(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#leaves.set(id, this.#parts.leavesAt(id))
      const recent = this.#recent.get(id)
      if (recent) recent.again = true
      else this.#publish(id)
    }
    this.#pace()
    this.#awaitLeave()
  }

  close(): void {
    clearTimeout(this.#paceTimer)
    clearTimeout(this.#leaveTimer)
  }

  #publish(id: string): void {
    this.#count += 1
    this.#last.delete(id)
    this.#last.set(id, this.#count)
    this.#recent.set(id, { at: performance.now(), again: false })
    this.#gone.delete(id)
    if (!this.#parts.isListed(id)) this.#remember(id)
    this.#listeners.emit({ id, count: this.#count })
  }

  #remember(gone: string): void {
    this.#gone.add(gone)
    const [oldest] = this.#gone.size > GONE_MAX ? this.#gone : []
    if (oldest === undefined) return
    this.#oldest = this.#last.get(oldest) ?? this.#oldest
    this.#gone.delete(oldest)
    this.#last.delete(oldest)
  }

  /** One timer for all sessions: each is in the map for the same time. */
  #pace(): void {
    const [first] = this.#recent.values()
    if (!first || this.#paceTimer) return
    const waitMs = Math.max(1, first.at + APART_MS - performance.now())
    this.#paceTimer = setTimeout(() => {
      this.#paceTimer = undefined
      const now = performance.now()
      for (const [id, { at, again }] of this.#recent) {
        if (now - at < APART_MS) break
        this.#recent.delete(id)
        if (again) this.#publish(id)
      }
      this.#pace()
    }, waitMs)
    this.#paceTimer.unref()
  }

  #awaitLeave(): void {
    clearTimeout(this.#leaveTimer)
    const first = this.#leaves.first()
    if (!first) return
    const waitMs = timerMs(first.at - this.#parts.now())
    this.#leaveTimer = setTimeout(() => this.#leave(), waitMs).unref()
  }

  #leave(): void {
    const left: string[] = []
    for (let due = this.#leaves.first(); due; due = this.#leaves.first()) {
      if (due.at > this.#parts.now()) break
      this.#leaves.set(due.id, undefined)
      left.push(due.id)
    }
    this.touch(left)
  }
}
