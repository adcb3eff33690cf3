import { Appointments } from '../core/appointments.ts'
import { TransportError, type TransportFault } from './transport.ts'

export interface PutQueueParts {
  /** Sends what the key needs now; undefined if it needs nothing. */
  readonly send: (key: string) => Promise<void> | undefined
  /** The key was stored, needed nothing, or the server will not take it soon. */
  readonly onDone: (key: string) => void
  /** `nextTick` may be earlier than it was. */
  readonly onDue: () => void
  /** Milliseconds, by a clock that is never set. */
  readonly now: () => number
}

/** Enough to fill a connection; few enough that a change waits behind a few others only. */
const IN_FLIGHT_MAX = 32
const RETRY_MIN_MS = 100
/** A server that comes back has the newest rows half a second later. */
const RETRY_MAX_MS = 500
/** It lasts until someone changes the server. */
const REFUSED_RETRY_MAX_MS = 30_000
/** A full server is asked ten times a second, however many rows wait for room. */
const FULL_APART_MS = 100

/**
 * SPEC FL33, FL34. Which keys are to be sent: each once, however often it was marked. A key that
 * fails is sent again later; while disconnected, nothing is sent.
 */
export class PutQueue {
  readonly #parts: PutQueueParts
  /** Neither in flight nor waiting for another try; in the order in which they were marked. */
  readonly #ready = new Set<string>()
  /** In flight; true if it was marked again since. */
  readonly #sent = new Map<string, boolean>()
  /** Failed, and wait for another try. */
  readonly #failed = new Map<string, { readonly fault: TransportFault; readonly times: number }>()
  readonly #retries = new Appointments()
  #fullRetryAt = 0
  #connection = 0
  #isPaused = true

  constructor(parts: PutQueueParts) {
    this.#parts = parts
  }

  mark(key: string): void {
    if (this.#sent.has(key)) this.#sent.set(key, true)
    else if (!this.#retries.has(key)) this.#ready.add(key)
  }

  get isSendingAny(): boolean {
    return this.#sent.size > 0
  }

  isSending(key: string): boolean {
    return this.#sent.has(key)
  }

  isMarked(key: string): boolean {
    return this.#ready.has(key) || this.#sent.has(key) || this.#retries.has(key)
  }

  /** How many keys failed by a fault, and were not sent since. */
  failed(fault: TransportFault): number {
    return [...this.#failed.values()].filter((failed) => failed.fault === fault).length
  }

  pause(): void {
    this.#isPaused = true
  }

  /** There is a connection, perhaps another one: nothing waits because of the earlier one. */
  restart(): void {
    this.#connection += 1
    this.#isPaused = false
    for (const key of this.#failed.keys()) this.#retry(key)
    this.#failed.clear()
  }

  /** Sends what is ready. */
  pump(): void {
    for (const key of this.#ready) {
      if (this.#isPaused || this.#sent.size >= IN_FLIGHT_MAX) return
      this.#ready.delete(key)
      const sent = this.#parts.send(key)
      if (sent) this.#await(key, sent)
      else this.#succeeded(key, false)
    }
  }

  nextTick(): number | undefined {
    return this.#retries.first()?.at
  }

  tick(): void {
    const now = this.#parts.now()
    for (let due = this.#retries.first(); due && due.at <= now; due = this.#retries.first())
      this.#retry(due.id)
    this.pump()
  }

  #retry(key: string): void {
    if (!this.#retries.has(key)) return
    this.#retries.set(key, undefined)
    this.mark(key)
  }

  #await(key: string, sent: Promise<void>): void {
    const connection = this.#connection
    this.#sent.set(key, false)
    sent.then(
      () => this.#ended(key, () => this.#succeeded(key, true)),
      (error: unknown) =>
        this.#ended(key, () => {
          const fault = error instanceof TransportError ? error.fault : 'late'
          if (connection !== this.#connection) this.#ready.add(key)
          else this.#fail(key, fault)
          if (fault === 'full' || fault === 'refused') this.#parts.onDone(key)
        }),
    )
  }

  #ended(key: string, then: () => void): void {
    const isMarked = this.#sent.get(key)
    this.#sent.delete(key)
    then()
    if (isMarked) this.mark(key)
    this.pump()
  }

  #succeeded(key: string, isSent: boolean): void {
    this.#failed.delete(key)
    // There is room: the others need not wait for their turn.
    if (isSent && this.#fullRetryAt > this.#parts.now())
      for (const [other, { fault }] of this.#failed) if (fault === 'full') this.#retry(other)
    this.#parts.onDone(key)
  }

  #fail(key: string, fault: TransportFault): void {
    if (fault === 'disconnected') {
      this.#isPaused = true
      this.#ready.add(key)
      return
    }
    const times = (this.#failed.get(key)?.times ?? 0) + 1
    const max = fault === 'refused' ? REFUSED_RETRY_MAX_MS : RETRY_MAX_MS
    const waitMs = Math.min(max, RETRY_MIN_MS * 2 ** Math.min(times - 1, 20))
    this.#failed.set(key, { fault, times })
    const at = this.#parts.now() + waitMs
    if (fault === 'full') this.#fullRetryAt = Math.max(at, this.#fullRetryAt + FULL_APART_MS)
    this.#retries.set(key, fault === 'full' ? this.#fullRetryAt : at)
    this.#parts.onDue()
  }
}
